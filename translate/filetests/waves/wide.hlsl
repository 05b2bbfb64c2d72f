// dxc: -T cs_6_0 -E main
groupshared uint64_t sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint64_t v = (uint64_t)id << 20;
  uint64_t r = WaveActiveSum(v) + WaveActiveMax(v) + WaveReadLaneAt(v, 2) + WaveReadLaneAt(v, id & 1) + WaveReadLaneFirst(v);
  r += WaveActiveAllEqual(v) ? 1 : 2;
  r += WaveActiveBitOr(v) + QuadReadAcrossY(v) + QuadReadLaneAt(v, 3);
  sink[id] = r;
}
