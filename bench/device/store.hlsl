// dxc: -T cs_6_0 -E main
// Stores of texels.
cbuffer Parameters : register(b0) {
    uint rounds;
};
RWTexture2D<float4> target : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    for (uint i = 0; i < rounds; ++i)
        target[(id.xy + uint2(16, 8) * i) & 255] = 1;
}
