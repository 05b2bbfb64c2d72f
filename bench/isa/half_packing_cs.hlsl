// dxc: -T cs_6_0 -E main
// Floats to halves and back, packed by hand.
StructuredBuffer<float4> source : register(t0);
RWStructuredBuffer<uint2> target : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    float4 v = source[id];
    uint2 old = target[id];
    float4 w = float4(f16tof32(old.x), f16tof32(old.x >> 16), f16tof32(old.y), f16tof32(old.y >> 16));
    v = lerp(v, w, 0.5);
    target[id] = uint2(f32tof16(v.x) | f32tof16(v.y) << 16, f32tof16(v.z) | f32tof16(v.w) << 16);
}
