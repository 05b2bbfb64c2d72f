// dxc: -T cs_6_2 -E main -enable-16bit-types
// Conversions between 16-bit and 32-bit types.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint o = id * 8;
  uint16_t u = (uint16_t)v;
  int16_t s = (int16_t)v;
  half h = (half)(float(v & 0x7ff) * 0.25);
  Out[o + 0] = u;
  Out[o + 1] = uint(int(s));
  Out[o + 2] = asuint(float(u));
  Out[o + 3] = asuint(float(s));
  Out[o + 4] = asuint(float(h));
  Out[o + 5] = uint(h);
  Out[o + 6] = asuint16(h);
  Out[o + 7] = asuint(float(asfloat16((uint16_t)(v & 0x7bff))));
}
