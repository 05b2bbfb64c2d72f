// dxc: -T ps_6_0 -E main
// A loop of one block whose operation takes a condition gets a continue block of its own.
// check: OpLoopMerge
// check: OpDemoteToHelperInvocation
float4 main(float2 uv : UV, nointerpolation uint n : N) : SV_Target {
  float v = 0;
  [loop] for (uint i = 0; i < n; ++i) {
    clip(uv.x - i * 0.1);
    v += ddx(uv.y * i);
  }
  return v;
}
