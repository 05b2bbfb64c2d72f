// dxc: -T cs_6_0 -E main -Zi -Qembed_debug -Od
// Lanes write each other's elements, exchange values and wait for each other.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint slots[64];

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
    uint mine = thread * 3;
    slots[63 - thread] = mine;
    uint lanes = WaveGetLaneCount();
    uint most = WaveActiveMax(mine);
    GroupMemoryBarrierWithGroupSync();
    uint theirs = slots[thread];
    Out[thread ^ 5] = most + theirs;
    AllMemoryBarrierWithGroupSync();
    if ((thread & 1) == 0)
        InterlockedAdd(slots[thread + 1], 1000);
    Out[thread] += lanes;
}
