// dxc: -T cs_6_5 -E main
// Feedback of explicit levels to both kinds of feedback map.
Texture2D<float4> T : register(t0);
StructuredBuffer<float3> Where : register(t1);
SamplerState S : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Least : register(u0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> Used : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float3 at = Where[id];
  Least.WriteSamplerFeedbackLevel(T, S, at.xy, at.z);
  Used.WriteSamplerFeedbackLevel(T, S, at.xy, at.z);
}
