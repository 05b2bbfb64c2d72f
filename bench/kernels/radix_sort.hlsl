// dxc: -T cs_6_0 -E main
// Sorts blocks of 256 keys, one bit at a time from the lowest: a stable split per bit.
StructuredBuffer<uint> keys : register(t0);
RWStructuredBuffer<uint> sorted : register(u0);
groupshared uint key[256];
groupshared uint zeros[256];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    uint mine = keys[id.x];
    for (uint bit = 0; bit < 32; ++bit) {
        uint is_zero = ((mine >> bit) & 1) ^ 1;
        zeros[lane] = is_zero;
        GroupMemoryBarrierWithGroupSync();
        for (uint reach = 1; reach < 256; reach <<= 1) {
            uint add = lane >= reach ? zeros[lane - reach] : 0;
            GroupMemoryBarrierWithGroupSync();
            zeros[lane] += add;
            GroupMemoryBarrierWithGroupSync();
        }
        uint before = zeros[lane] - is_zero;
        uint place = is_zero ? before : zeros[255] + lane - before;
        key[place] = mine;
        GroupMemoryBarrierWithGroupSync();
        mine = key[lane];
    }
    sorted[id.x] = mine;
}
