// dxc: -T cs_6_0 -E main -Gis
// NaN and infinity: comparisons, classification, minimum and maximum, saturation.
StructuredBuffer<float2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id].x, b = In[id].y;
  uint bits = 0;
  bits |= (a == b) ? 1 : 0;
  bits |= (a != b) ? 2 : 0;
  bits |= (a < b) ? 4 : 0;
  bits |= (a <= b) ? 8 : 0;
  bits |= (a > b) ? 16 : 0;
  bits |= (a >= b) ? 32 : 0;
  bits |= !(a < b) ? 64 : 0;
  bits |= !(a >= b) ? 128 : 0;
  bits |= isnan(a) ? 256 : 0;
  bits |= isinf(a) ? 512 : 0;
  bits |= isfinite(a) ? 1024 : 0;
  uint o = id * 4;
  Out[o + 0] = bits;
  Out[o + 1] = asuint(min(a, b));
  Out[o + 2] = asuint(max(a, b));
  Out[o + 3] = asuint(saturate(a));
}
