// dxc: -T cs_6_5 -E main
// Feedback of gradients, with a least level, to maps of texture arrays.
Texture2DArray<float4> T : register(t0);
StructuredBuffer<float4> Where : register(t1);
StructuredBuffer<float4> Slope : register(t2);
SamplerState S : register(s0);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIN_MIP> Least : register(u0);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIP_REGION_USED> Used : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 at = Where[id];
  float4 slope = Slope[id];
  Least.WriteSamplerFeedbackGrad(T, S, at.xyz, slope.xy, slope.zw, at.w);
  Used.WriteSamplerFeedbackGrad(T, S, at.xyz, slope.xy, slope.zw, at.w);
}
