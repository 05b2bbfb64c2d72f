// dxc: -T ps_6_6 -E main
//! targets = vulkan1.3
// check: HelperInvocation
float4 main(float2 uv : UV) : SV_Target {
  return IsHelperLane() ? 1 : uv.xyxy;
}
