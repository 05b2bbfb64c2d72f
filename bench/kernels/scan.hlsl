// dxc: -T cs_6_0 -E main
// Exclusive prefix sums of blocks of 512 numbers: the up and down sweeps of a balanced tree.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> prefix : register(u0);
groupshared uint tree[512];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    uint first = group.x * 512;
    tree[lane] = values[first + lane];
    tree[lane + 256] = values[first + lane + 256];
    uint stride = 1;
    for (uint up = 256; up > 0; up >>= 1) {
        GroupMemoryBarrierWithGroupSync();
        if (lane < up)
            tree[stride * (2 * lane + 2) - 1] += tree[stride * (2 * lane + 1) - 1];
        stride *= 2;
    }
    if (lane == 0)
        tree[511] = 0;
    for (uint down = 1; down <= 256; down *= 2) {
        stride >>= 1;
        GroupMemoryBarrierWithGroupSync();
        if (lane < down) {
            uint left = stride * (2 * lane + 1) - 1;
            uint right = stride * (2 * lane + 2) - 1;
            uint kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    GroupMemoryBarrierWithGroupSync();
    prefix[first + lane] = tree[lane];
    prefix[first + lane + 256] = tree[lane + 256];
}
