// dxc: -T ps_6_5 -E main
//! without = SUBGROUP_QUAD
// Where lanes of a quad cannot look at each other, the bias is added to the unclamped level.
// check: OpImageQueryLod
// check: OpFAdd
// not:   OpVectorTimesScalar
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
float4 main(float2 uv : UV) : SV_Target {
  f.WriteSamplerFeedbackBias(t, s, uv, 0.5);
  return 0;
}
