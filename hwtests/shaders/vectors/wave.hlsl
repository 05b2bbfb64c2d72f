// dxc-newer: -T cs_6_9 -E main
// wave and quad operations on native vectors
StructuredBuffer<vector<float, 6> > src : register(t0);
RWStructuredBuffer<vector<float, 6> > dst : register(u0);
RWStructuredBuffer<vector<uint, 6> > bits : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 6> v = src[id];
  vector<float, 6> s = WaveActiveSum(v) + WavePrefixSum(v) * 0.5f;
  s += WaveReadLaneAt(v, 1) - WaveReadLaneFirst(v) + WaveActiveMax(v);
  vector<uint, 6> u = asuint(v);
  uint4 m = WaveMatch(id & 3);
  bits[id] = WaveActiveBitXor(u) ^ WaveMultiPrefixSum(u & 255, m);
  vector<bool, 6> same = WaveActiveAllEqual(v);
  dst[id] = select(same, s, s + QuadReadAcrossX(v));
}
