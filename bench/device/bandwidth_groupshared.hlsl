// dxc: -T cs_6_0 -E main
// Reads of 16 bytes from groupshared memory of 16 KiB.
cbuffer Parameters : register(b0) {
    uint rounds;
    // Number of rows less one: a power of two less one.
    uint mask;
    // Rows from one read of a thread to its next.
    uint stride;
    // Binary logarithm of the width in rows, of textures.
    uint width_log2;
};
StructuredBuffer<uint4> data : register(t0);
groupshared uint4 tile[1024];
RWStructuredBuffer<uint> result : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    for (uint row = lane; row < 1024; row += 256)
        tile[row] = data[row];
    GroupMemoryBarrierWithGroupSync();
    uint4 sum = 0;
    uint at = id.x;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 4; ++j) {
            sum += tile[at & mask & 1023];
            at += stride;
        }
    }
    result[id.x] = sum.x + sum.y + sum.z + sum.w;
}
