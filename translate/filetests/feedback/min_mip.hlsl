// dxc: -T ps_6_5 -E main
// The least mip in each of up to four regions; a bias scales the coordinates of the query.
// check: OpTypeImage $uint 2D 0 1 0 2 R32ui
// check: OpVectorTimesScalar
// check: OpImageQueryLod
// check: OpExtInst $float $glsl RoundEven
// count: 4 OpAtomicUMin
Texture2DArray<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
float4 main(float3 uv : UV) : SV_Target {
  f.WriteSamplerFeedbackBias(t, s, uv, 0.5);
  return 0;
}
