// dxc: -T cs_6_4 -E main
// Dot products of four 8-bit integers, summed in 32 bits: eight chains, eight steps a round.
cbuffer Parameters : register(b0) {
    uint rounds;
    uint one;
};
RWStructuredBuffer<uint> result : register(u0);

uint4 next_sums(uint4 x, uint f) {
    return uint4(dot4add_u8packed(x.x, 0x01010101, f), dot4add_u8packed(x.y, 0x01010101, f),
                 dot4add_u8packed(x.z, 0x01010101, f), dot4add_u8packed(x.w, 0x01010101, f));
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint4 a = uint4(0, 1, 2, 3) + id.x % 7;
    uint4 b = a + 4;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 8; ++j) {
            a = next_sums(a, one);
            b = next_sums(b, one);
        }
    }
    uint4 sum = a + b;
    result[id.x] = sum.x + sum.y + sum.z + sum.w;
}
