// A part of the group waits for all of it.
groupshared uint words[64];
RWByteAddressBuffer result : register(u0);

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
    words[thread] = thread;
    [branch] if (result.Load(thread * 4) != 0)
        GroupMemoryBarrierWithGroupSync();
    result.Store(thread * 4, words[thread ^ 1]);
}
