// dxc: -T cs_6_0 -E main
// Float to integer (saturating, NaN is zero), integer to float, and the packed half conversions.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint bits = In[id];
  float f = asfloat(bits);
  uint o = id * 6;
  Out[o + 0] = uint(f);
  Out[o + 1] = uint(int(f));
  Out[o + 2] = asuint(float(bits));
  Out[o + 3] = asuint(float(int(bits)));
  Out[o + 4] = asuint(f16tof32(bits));
  Out[o + 5] = (f != 0) ? 1 : 0;
}
