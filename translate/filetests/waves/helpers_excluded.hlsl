// dxc: -T ps_6_0 -E main
//! targets = vulkan1.1
// Helper lanes are no part of a wave. What lanes compare with their own value is never 0 by default.
// not:   OpIsHelperInvocationEXT
// check: OpDecorate $helper BuiltIn HelperInvocation
// check: OpLoad $bool $helper
// check: OpGroupNonUniformBallotFindLSB
// check: OpGroupNonUniformShuffle $uint
// check: OpSelect $uint
// check: OpGroupNonUniformShuffle $float
// check: OpSelect $float
uint2 main(nointerpolation uint a : A, nointerpolation float b : B) : SV_Target {
  uint n = 0;
  while (true) {
    if (WaveReadLaneFirst(a) == a) { n = WaveActiveSum(1u); break; }
  }
  return uint2(n, WaveReadLaneFirst(b));
}
