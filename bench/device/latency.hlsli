// One thread follows a chain: each read needs the one before. `CHAIN` declares it, `NEXT` is what `at`
// leads to, and `FILL` puts it where it is read.
cbuffer Parameters : register(b0) {
    uint steps;
    // Binary logarithm of the width in texels, of textures.
    uint width_log2;
};
CHAIN
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    FILL
    uint at = 0;
    for (uint i = 0; i < steps; ++i)
        at = NEXT;
    result[0] = at;
}
