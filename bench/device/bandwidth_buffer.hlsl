// dxc: -T cs_6_0 -E main
// Reads of 16 bytes from a buffer.
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
RWStructuredBuffer<uint> result : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    uint4 sum = 0;
    uint at = id.x;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 4; ++j) {
            sum += data[at & mask];
            at += stride;
        }
    }
    result[id.x] = sum.x + sum.y + sum.z + sum.w;
}
