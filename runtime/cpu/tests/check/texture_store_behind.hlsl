// A texel is written outside of the texture.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWTexture2D<float> Image : register(u1);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Image[uint2(i & 7, i / 8 + 1)] = 1;
#else
    Image[uint2(i & 7, i / 8)] = 1;
#endif
}
