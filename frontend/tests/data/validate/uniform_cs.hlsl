// All threads of a group come to each barrier.
groupshared uint words[64];
RWByteAddressBuffer result : register(u0);
cbuffer Settings : register(b0)
{
    uint count;
};

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint group : SV_GroupID)
{
    words[thread] = thread;
    for (uint i = 0; i < count; ++i)
    {
        GroupMemoryBarrierWithGroupSync();
        uint other = words[thread ^ 1];
        GroupMemoryBarrierWithGroupSync();
        if (thread > i)
            words[thread] += other;
    }
    [branch] if (group > 3)
        GroupMemoryBarrierWithGroupSync();
    result.Store(thread * 4, words[thread]);
}
