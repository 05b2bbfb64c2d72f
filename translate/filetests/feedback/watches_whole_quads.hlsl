// dxc: -T ps_6_5 -E main
// Writing feedback at an implicit level takes derivatives, as sampling does: the whole quad has to be there.
//! options = assumptions
// check: OpGroupNonUniformBallot
Texture2D<float4> Color : register(t0);
SamplerState Linear : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Feedback : register(u0);

float4 main(float2 at : TEXCOORD) : SV_Target
{
  Feedback.WriteSamplerFeedback(Color, Linear, at);
  return 1;
}
