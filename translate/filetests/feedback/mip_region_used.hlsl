// dxc: -T ps_6_5 -E main
// A bit per mip, of a trilinear filter's two mips, in each of up to four regions.
// check: OpTypeImage $uint 2D 0 0 0 2 R32ui
// check: OpImageQueryLevels
// check: OpImageQueryLod
// check: OpShiftLeftLogical
// count: 8 OpAtomicOr
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> f : register(u0);
float4 main(float2 uv : UV) : SV_Target {
  f.WriteSamplerFeedback(t, s, uv);
  return 0;
}
