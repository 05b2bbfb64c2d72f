// dxc: -T cs_6_0 -E main
// Inclusive prefix sums of blocks of 256 numbers: a wave's prefix, then the waves before it.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> prefix : register(u0);
groupshared uint totals[64];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    uint wave = lane / WaveGetLaneCount();
    uint value = values[id.x];
    uint sum = WavePrefixSum(value) + value;
    uint total = WaveActiveSum(value);
    if (WaveIsFirstLane())
        totals[wave] = total;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < wave; ++i)
        sum += totals[i];
    prefix[id.x] = sum;
}
