// dxc: -T cs_6_0 -E main
cbuffer Parameters : register(b0) {
    float a;
    uint count;
};
StructuredBuffer<float> x : register(t0);
StructuredBuffer<float> y : register(t1);
RWStructuredBuffer<float> result : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x < count)
        result[id.x] = a * x[id.x] + y[id.x];
}
