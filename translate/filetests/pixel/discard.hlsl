// dxc: -T ps_6_0 -E main
// check: OpDemoteToHelperInvocation
float4 main(float2 uv : UV) : SV_Target {
  clip(uv.x - 0.5);
  return float4(ddx(uv), uv);
}
