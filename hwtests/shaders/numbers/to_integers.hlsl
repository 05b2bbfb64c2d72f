// dxc: -T cs_6_2 -E main -enable-16bit-types
// A float as integers of every width: cut off toward zero, clamped, and NaN is zero.
#ifndef T
#define T float
#endif
StructuredBuffer<T> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  T x = In[id];
  uint o = id * 6;
  Out[o + 0] = (uint16_t)x;
  Out[o + 1] = (uint64_t)(int64_t)(int16_t)x;
  Out[o + 2] = (uint)x;
  Out[o + 3] = (uint64_t)(int64_t)(int)x;
  Out[o + 4] = (uint64_t)x;
  Out[o + 5] = (uint64_t)(int64_t)x;
}
