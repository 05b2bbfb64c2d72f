// dxc: -T cs_6_0 -E main
// Rows and words of constants at computed places, as of a palette of bones and a kernel's weights.
cbuffer Constants : register(b0) { float4 rows[64]; float weights[16]; uint count; }
StructuredBuffer<uint> indices : register(t0);
RWStructuredBuffer<float4> target : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    if (id >= count)
        return;
    uint i = indices[id];
    float4 sum = rows[i & 63] * weights[i & 15];
    sum += rows[(i >> 8) & 63] * weights[(i >> 6) & 15];
    sum.w = dot(rows[(i + 1) & 63].xyz, sum.xyz);
    target[id] = sum;
}
