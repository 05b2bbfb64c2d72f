// dxc: -T cs_6_0 -E main
// One step of all pairs' gravity, the bodies staged through groupshared memory.
cbuffer Parameters : register(b0) {
    uint count;
    float softening;
    float step;
};
StructuredBuffer<float4> bodies : register(t0);
StructuredBuffer<float4> velocities : register(t1);
RWStructuredBuffer<float4> next : register(u0);
groupshared float4 tile[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    float3 here = bodies[id.x].xyz;
    float3 force = 0;
    for (uint first = 0; first < count; first += 64) {
        tile[lane] = bodies[first + lane];
        GroupMemoryBarrierWithGroupSync();
        for (uint i = 0; i < 64; ++i) {
            float3 away = tile[i].xyz - here;
            float inverse = rsqrt(dot(away, away) + softening);
            force += away * (tile[i].w * inverse * inverse * inverse);
        }
        GroupMemoryBarrierWithGroupSync();
    }
    float3 velocity = velocities[id.x].xyz + force * step;
    next[id.x] = float4(here + velocity * step, bodies[id.x].w);
}
