// dxc: -T cs_6_0 -E main
// Reductions over a wave: sums, products, extremes and bit operations.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  int s = int(v) - 100;
  uint o = id * 11;
  Out[o + 0] = WaveActiveSum(v);
  Out[o + 1] = WaveActiveProduct(v | 1);
  Out[o + 2] = WaveActiveMin(v);
  Out[o + 3] = WaveActiveMax(v);
  Out[o + 4] = uint(WaveActiveMin(s));
  Out[o + 5] = uint(WaveActiveMax(s));
  Out[o + 6] = WaveActiveBitAnd(v | 3);
  Out[o + 7] = WaveActiveBitOr(v);
  Out[o + 8] = WaveActiveBitXor(v);
  Out[o + 9] = asuint(WaveActiveSum(float(v)));
  Out[o + 10] = asuint(WaveActiveMax(-float(v)));
}
