// dxc: -T cs_6_0 -E main
// Doubles from and to integers, floats and pairs of words.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  double d = asdouble(In[id].x, In[id].y);
  uint o = id * 7;
  uint lo, hi;
  Out[o + 0] = asuint(float(d));
  Out[o + 1] = uint(abs(d));
  Out[o + 2] = uint(int(d));
  asuint(double(asint(In[id].x)) * 0.5L, lo, hi);
  Out[o + 3] = lo;
  Out[o + 4] = hi;
  asuint(-d, lo, hi);
  Out[o + 5] = lo;
  Out[o + 6] = hi;
}
