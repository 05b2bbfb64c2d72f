// Chains of dependent reads by many groups: the more groups a core holds at a time, the more of the
// latency they hide. Each group reserves `WORDS` words of groupshared memory.
cbuffer Parameters : register(b0) {
    uint steps;
    uint mask;
};
StructuredBuffer<uint> chain : register(t0);
RWStructuredBuffer<uint> result : register(u0);
groupshared uint reserved[WORDS];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    reserved[lane] = id.x;
    reserved[WORDS - 1 - lane] = id.x;
    GroupMemoryBarrierWithGroupSync();
    uint at = (reserved[lane] * 97) & mask;
    for (uint i = 0; i < steps; ++i)
        at = chain[at];
    result[id.x] = at;
}
