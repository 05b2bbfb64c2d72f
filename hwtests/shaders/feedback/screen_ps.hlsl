// dxc: -T ps_6_5 -E main
// Feedback of the pixels' own level of detail, as it is, with a bias, and with a least level.
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Plain : register(u0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Biased : register(u1);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Clamped : register(u2);

float4 main(float2 uv : UV) : SV_Target {
  Plain.WriteSamplerFeedback(T, S, uv);
  Biased.WriteSamplerFeedbackBias(T, S, uv, 1.0);
  Clamped.WriteSamplerFeedback(T, S, uv, 4.0);
  return float4(uv, 0, 1);
}
