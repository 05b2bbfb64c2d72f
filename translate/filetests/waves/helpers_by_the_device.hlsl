// dxc: -T ps_6_0 -E main
//! options = helper_lanes_in_waves
// A caller can leave it to the device who takes part.
// not:   HelperInvocation
// check: OpGroupNonUniformBroadcastFirst
float main(nointerpolation float b : B) : SV_Target {
  return WaveReadLaneFirst(b);
}
