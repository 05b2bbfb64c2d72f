// Reads of 16 bytes, four a round. `ROWS` declares them, `READ` is the one at `at`, and `FILL` puts
// them where they are read.
cbuffer Parameters : register(b0) {
    uint rounds;
    // Number of rows less one: a power of two less one.
    uint mask;
    // Rows from one read of a thread to its next.
    uint stride;
    // Binary logarithm of the width in rows, of textures.
    uint width_log2;
};
ROWS
RWStructuredBuffer<uint> result : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    FILL
    uint4 sum = 0;
    uint at = id.x;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 4; ++j) {
            sum += READ;
            at += stride;
        }
    }
    result[id.x] = sum.x + sum.y + sum.z + sum.w;
}
