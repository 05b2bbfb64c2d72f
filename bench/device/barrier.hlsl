// dxc: -T cs_6_0 -E main
// Barriers of groups of 256 threads.
cbuffer Parameters : register(b0) {
    uint rounds;
};
RWStructuredBuffer<uint> result : register(u0);
groupshared uint tile[256];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    tile[lane] = lane;
    GroupMemoryBarrierWithGroupSync();
    uint value = 0;
    for (uint i = 0; i < rounds; ++i) {
        value = tile[(lane + 1) & 255];
        GroupMemoryBarrierWithGroupSync();
        tile[lane] = value;
        GroupMemoryBarrierWithGroupSync();
    }
    result[id.x] = tile[lane];
}
