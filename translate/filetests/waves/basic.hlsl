// dxc: -T cs_6_0 -E main
// Lanes that never part need not meet again.
// not:   MaximallyReconvergesKHR
// check: OpGroupNonUniformElect
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = id ^ g.x;
  uint r = WaveGetLaneIndex() + WaveGetLaneCount();
  if (WaveIsFirstLane()) r += 1;
  r += WaveActiveAnyTrue(v > 3) ? 1 : 0;
  r += WaveActiveAllTrue(v > 3) ? 1 : 0;
  r += WaveActiveAllEqual(v) ? 1 : 0;
  uint4 b = WaveActiveBallot(v & 1);
  r += b.x + b.y + WaveActiveCountBits(v & 2) + WavePrefixCountBits(v & 4);
  r += WaveReadLaneAt(v, 3) + WaveReadLaneAt(v, v & 3) + WaveReadLaneFirst(v);
  r += WaveActiveSum(v) + WaveActiveProduct(v) + WaveActiveMin((int)v) + WaveActiveMax(v);
  r += WaveActiveBitAnd(v) + WaveActiveBitOr(v) + WaveActiveBitXor(v) + WavePrefixSum(v) + WavePrefixProduct(v);
  sink[id] = r;
}
