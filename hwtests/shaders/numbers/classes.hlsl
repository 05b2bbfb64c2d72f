// dxc: -T cs_6_0 -E main
// Which floats are NaN, infinite or finite.
#ifndef T
#define T float
#endif
StructuredBuffer<T> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  T x = In[id];
  Out[id] = (isnan(x) ? 1 : 0) | (isinf(x) ? 2 : 0) | (isfinite(x) ? 4 : 0);
}
