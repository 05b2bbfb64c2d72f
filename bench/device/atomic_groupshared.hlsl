// dxc: -T cs_6_0 -E main
// Atomic additions to groupshared memory: to one counter, or to one for each thread.
cbuffer Parameters : register(b0) {
    uint rounds;
    uint mask;
};
RWStructuredBuffer<uint> counters : register(u0);
groupshared uint shared_counters[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    shared_counters[lane] = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < rounds; ++i)
        InterlockedAdd(shared_counters[lane & mask], 1);
    GroupMemoryBarrierWithGroupSync();
    counters[id.x] = shared_counters[lane];
}
