// dxc: -T cs_6_0 -E main
// Keeps the odd numbers of each block of 64 in order: a ballot and counts of its bits, a wave at a time.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> kept : register(u0);
RWStructuredBuffer<uint> counts : register(u1);
groupshared uint totals[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    uint wave = lane / WaveGetLaneCount();
    uint value = values[id.x];
    bool keep = (value & 1) != 0;
    uint before = WavePrefixCountBits(keep);
    uint total = WaveActiveCountBits(keep);
    if (WaveIsFirstLane())
        totals[wave] = total;
    GroupMemoryBarrierWithGroupSync();
    uint waves = 64 / WaveGetLaneCount();
    uint first = 0;
    uint all = 0;
    for (uint i = 0; i < waves; ++i) {
        first += i < wave ? totals[i] : 0;
        all += totals[i];
    }
    if (keep)
        kept[group.x * 64 + first + before] = value;
    if (lane == 0)
        counts[group.x] = all;
}
