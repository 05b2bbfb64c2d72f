// dxc: -T cs_6_5 -E main
//! without = SUBGROUP_PARTITIONED
// check: OpLoopMerge
groupshared uint sink[64];
groupshared float more[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint4 m = WaveMatch(id & 3);
  uint4 n = WaveMatch((float)(id & 1));
  sink[id] = m.x + n.y + WaveMultiPrefixSum(id, m) + WaveMultiPrefixCountBits(id & 4, m) + WaveMultiPrefixBitAnd(id, m)
      + WaveMultiPrefixBitOr(id, m) + WaveMultiPrefixBitXor(id, m) + WaveMultiPrefixProduct(id, m);
  more[id] = WaveMultiPrefixSum((float)id, m) + WaveMultiPrefixProduct((float)id, m);
}
