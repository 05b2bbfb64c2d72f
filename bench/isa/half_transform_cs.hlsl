// dxc: -T cs_6_2 -E main -enable-16bit-types
// A transform in native halves.
StructuredBuffer<half4> source : register(t0);
RWStructuredBuffer<half4> target : register(u0);
cbuffer Transform : register(b0) { half4x4 m; uint count; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    if (id >= count)
        return;
    half4 v = mul(m, source[id]);
    target[id] = v * rsqrt(dot(v.xyz, v.xyz) + (half)0.001);
}
