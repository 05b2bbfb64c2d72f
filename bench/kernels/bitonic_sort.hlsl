// dxc: -T cs_6_0 -E main
// Sorts blocks of 512 keys with a bitonic network.
StructuredBuffer<uint> keys : register(t0);
RWStructuredBuffer<uint> sorted : register(u0);
groupshared uint key[512];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    uint first = group.x * 512;
    key[lane] = keys[first + lane];
    key[lane + 256] = keys[first + lane + 256];
    for (uint size = 2; size <= 512; size <<= 1) {
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            GroupMemoryBarrierWithGroupSync();
            uint low = 2 * lane - (lane & (stride - 1));
            uint high = low + stride;
            bool upwards = (low & size) == 0;
            uint a = key[low];
            uint b = key[high];
            if ((a > b) == upwards) {
                key[low] = b;
                key[high] = a;
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    sorted[first + lane] = key[lane];
    sorted[first + lane + 256] = key[lane + 256];
}
