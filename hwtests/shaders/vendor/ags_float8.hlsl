// dxc: -T cs_6_0 -E main
// Conversions of single floats of 8 bits by AGS: 256 numbers of both formats to floats, and floats
// to both formats, without and with saturation.
RWByteAddressBuffer Ags : register(u0, space2147420894);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint convert(uint operation, uint saturate, uint x) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000036 | operation << 8 | saturate << 16, x, 0, result);
  return result;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint x = In[id];
  Out[id * 6 + 0] = convert(0, 0, id);
  Out[id * 6 + 1] = convert(1, 0, id);
  Out[id * 6 + 2] = convert(2, 0, x);
  Out[id * 6 + 3] = convert(3, 0, x);
  Out[id * 6 + 4] = convert(2, 1, x);
  Out[id * 6 + 5] = convert(3, 1, x);
}
