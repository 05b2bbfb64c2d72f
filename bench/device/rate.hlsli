// Eight independent chains of `STEP`, eight steps a round. `one` is 1, which only the host knows.
cbuffer Parameters : register(b0) {
    uint rounds;
    uint one;
};
RWStructuredBuffer<uint> result : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    VECTOR f = (SCALAR)one;
    VECTOR a = VECTOR(0, 1, 2, 3) + (SCALAR)(id.x % 7);
    VECTOR b = a + (SCALAR)4;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 8; ++j) {
            a = STEP(a, f);
            b = STEP(b, f);
        }
    }
    uint4 sum = uint4(a) + uint4(b);
    result[id.x] = sum.x + sum.y + sum.z + sum.w;
}
