// dxc: -T cs_6_0 -E main
// One thread follows a chain through a texture, without a sampler.
cbuffer Parameters : register(b0) {
    uint steps;
    // Binary logarithm of the width in texels, of textures.
    uint width_log2;
};
Texture2D<uint> chain : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    uint at = 0;
    for (uint i = 0; i < steps; ++i)
        at = chain.Load(int3(at & ((1u << width_log2) - 1), at >> width_log2, 0));
    result[0] = at;
}
