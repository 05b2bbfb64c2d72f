// A texture of 8x8 texels is read at its right edge.
RWTexture2D<float> Image : register(u1);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupThreadID) {
#ifdef DEFECT
  Out[i] = Image[uint2(i + 1, 0)];
#else
  Out[i] = Image[uint2(min(i + 1, 7), 0)];
#endif
}
