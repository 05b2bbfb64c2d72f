// Chains of a wave operation. The values depend on the lanes alone.
cbuffer Parameters : register(b0) {
    uint rounds;
};
RWStructuredBuffer<uint2> result : register(u0);

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint lane = WaveGetLaneIndex();
    uint lanes = WaveGetLaneCount();
    uint x = lane;
    for (uint i = 0; i < rounds; ++i) {
        [unroll] for (uint j = 0; j < 4; ++j)
            x = STEP;
    }
    result[id.x] = uint2(x, lane | lanes << 16);
}
