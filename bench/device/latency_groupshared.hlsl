// dxc: -T cs_6_0 -E main
// One thread follows a chain through groupshared memory of 16 KiB.
cbuffer Parameters : register(b0) {
    uint steps;
    // Binary logarithm of the width in texels, of textures.
    uint width_log2;
};
StructuredBuffer<uint> chain : register(t0);
groupshared uint tile[4096];
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    for (uint word = 0; word < 4096; ++word)
        tile[word] = chain[word];
    uint at = 0;
    for (uint i = 0; i < steps; ++i)
        at = tile[at & 4095];
    result[0] = at;
}
