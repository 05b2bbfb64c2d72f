// dxc: -T cs_6_0 -E main
// Arithmetic of two floats without fast math, as the tables of special values ask.
#ifndef T
#define T float
#endif
StructuredBuffer<T> In : register(t0);
RWStructuredBuffer<T> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  T a = In[id * 2], b = In[id * 2 + 1];
  precise T sum = a + b;
  precise T product = a * b;
  precise T quotient = a / b;
  uint o = id * 5;
  Out[o + 0] = sum;
  Out[o + 1] = product;
  Out[o + 2] = quotient;
  Out[o + 3] = min(a, b);
  Out[o + 4] = max(a, b);
}
