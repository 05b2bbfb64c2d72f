// dxc: -T cs_6_0 -E main
// Float exchanges on typed buffers and textures.
RWBuffer<float> Buf : register(u0);
RWTexture1D<float> Line : register(u1);
RWTexture2D<float> Plane : register(u2);

#define EXCHANGE(texel) \
  if (id == 0) { \
    InterlockedCompareExchangeFloatBitwise(texel, 0.0, asfloat(0x7fc00001), old); \
    if (old == 0.0) InterlockedCompareStoreFloatBitwise(texel, asfloat(0x7fc00001), 0.25); \
  } else { \
    InterlockedCompareStoreFloatBitwise(texel, 0.0, id); \
    InterlockedCompareExchangeFloatBitwise(texel, id, id + 1.0, old); \
    if (old == id) InterlockedExchange(texel, id + 2.0, old); \
  }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float old = 0;
  EXCHANGE(Buf[id])
  EXCHANGE(Line[id])
  EXCHANGE(Plane[uint2(id & 7, id >> 3)])
}
