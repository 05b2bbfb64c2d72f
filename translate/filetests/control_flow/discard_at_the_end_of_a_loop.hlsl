// dxc: -T ps_6_0 -E main
//! targets = vulkan1.1
//! without = DEMOTE_TO_HELPER
// Without demotion `discard` ends the invocation, which no block of a continue construct may.
// check: OpLoopMerge
// check: OpKill
// not: OpDemoteToHelperInvocation
float4 main(float2 uv : UV, nointerpolation uint n : N) : SV_Target {
  float v = 0;
  [loop] for (uint i = 0; i < n; ++i) {
    clip(uv.x - i * 0.1);
    v += uv.y * i;
  }
  [loop] for (uint j = 0; j < n; ++j) {
    if (j * v > 7) { v += uv.x; continue; }
    v *= 1.5;
    if (uv.y * v < j) discard;
  }
  return v;
}
