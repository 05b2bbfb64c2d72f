// dxc: -T cs_6_0 -E main
// A sparse matrix (compressed rows) times a vector, one row per thread.
cbuffer Parameters : register(b0) {
    uint rows;
};
StructuredBuffer<uint> first : register(t0);
StructuredBuffer<uint> column : register(t1);
StructuredBuffer<float> value : register(t2);
StructuredBuffer<float> x : register(t3);
RWStructuredBuffer<float> y : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x >= rows)
        return;
    float sum = 0;
    uint end = first[id.x + 1];
    for (uint i = first[id.x]; i < end; ++i)
        sum += value[i] * x[column[i]];
    y[id.x] = sum;
}
