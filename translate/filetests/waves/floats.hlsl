// dxc: -T cs_6_0 -E main
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float v = id * 0.5;
  float r = WaveActiveSum(v) + WaveActiveProduct(v) + WaveActiveMin(v) + WaveActiveMax(v) + WavePrefixSum(v);
  r += WaveReadLaneAt(v, 2) + WaveReadLaneFirst(v) + (WaveActiveAllEqual(v) ? 1 : 2) + QuadReadAcrossX(v);
  sink[id] = r;
}
