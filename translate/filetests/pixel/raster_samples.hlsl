// dxc: -T ps_6_0 -E main
// The pipeline's sample count is an option; positions follow D3D's standard patterns.
// check: OpULessThan $bool
uint i;
float4 main() : SV_Target {
  return float4(GetRenderTargetSamplePosition(i), GetRenderTargetSampleCount(), 0);
}
