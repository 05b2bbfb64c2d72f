// dxc: -T cs_6_0 -E main
// Every function of one float that the DXIL document has a table of special values for.
#ifndef T
#define T float
#endif
StructuredBuffer<T> In : register(t0);
RWStructuredBuffer<T> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  precise T x = In[id];
  uint o = id * 20;
  Out[o + 0] = abs(x);
  Out[o + 1] = saturate(x);
  Out[o + 2] = cos(x);
  Out[o + 3] = sin(x);
  Out[o + 4] = tan(x);
  Out[o + 5] = acos(x);
  Out[o + 6] = asin(x);
  Out[o + 7] = atan(x);
  Out[o + 8] = cosh(x);
  Out[o + 9] = sinh(x);
  Out[o + 10] = tanh(x);
  Out[o + 11] = exp2(x);
  Out[o + 12] = frac(x);
  Out[o + 13] = log2(x);
  Out[o + 14] = sqrt(x);
  Out[o + 15] = rsqrt(x);
  Out[o + 16] = round(x);
  Out[o + 17] = floor(x);
  Out[o + 18] = ceil(x);
  Out[o + 19] = trunc(x);
}
