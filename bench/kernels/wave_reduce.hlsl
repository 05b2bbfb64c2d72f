// dxc: -T cs_6_0 -E main
// Sums of blocks of 256 numbers: within waves by a wave operation, across them by an atomic.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> sums : register(u0);
groupshared uint sum;

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    if (lane == 0)
        sum = 0;
    GroupMemoryBarrierWithGroupSync();
    uint of_wave = WaveActiveSum(values[id.x]);
    if (WaveIsFirstLane())
        InterlockedAdd(sum, of_wave);
    GroupMemoryBarrierWithGroupSync();
    if (lane == 0)
        sums[group.x] = sum;
}
