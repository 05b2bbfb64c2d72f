// dxc: -T cs_6_0 -E main
// One thread follows a chain through a buffer: each read needs the one before.
cbuffer Parameters : register(b0) {
    uint steps;
    // Binary logarithm of the width in texels, of textures.
    uint width_log2;
};
StructuredBuffer<uint> chain : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    uint at = 0;
    for (uint i = 0; i < steps; ++i)
        at = chain[at];
    result[0] = at;
}
