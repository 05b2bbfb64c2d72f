// dxc: -T cs_6_0 -E main
// One thread follows a chain through the rows of a constant buffer.
cbuffer Parameters : register(b0) {
    uint steps;
    // Binary logarithm of the width in texels, of textures.
    uint width_log2;
};
cbuffer Rows : register(b1) {
    uint4 rows[4096];
};
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    uint at = 0;
    for (uint i = 0; i < steps; ++i)
        at = rows[at].x;
    result[0] = at;
}
