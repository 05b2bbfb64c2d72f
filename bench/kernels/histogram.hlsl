// dxc: -T cs_6_0 -E main
// 256 bins over the bytes of a buffer, counted per group in groupshared memory; each group writes its own.
ByteAddressBuffer bytes : register(t0);
RWStructuredBuffer<uint> counts : register(u0);
groupshared uint bins[256];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    bins[lane] = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < 8; ++i) {
        uint word = bytes.Load(((group.x * 8 + i) * 256 + lane) * 4);
        InterlockedAdd(bins[word & 255], 1);
        InterlockedAdd(bins[(word >> 8) & 255], 1);
        InterlockedAdd(bins[(word >> 16) & 255], 1);
        InterlockedAdd(bins[word >> 24], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    counts[group.x * 256 + lane] = bins[lane];
}
