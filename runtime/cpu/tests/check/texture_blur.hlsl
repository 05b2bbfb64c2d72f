// A texture is filtered in place.
RWTexture2D<float> Image : register(u1);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupThreadID) {
#ifdef DEFECT
  Image[uint2(i, 0)] = i + Image[uint2((i + 1) % 8, 0)];
#else
  Image[uint2(i, 1)] = i + Image[uint2((i + 1) % 8, 0)];
#endif
  Out[i] = 1;
}
