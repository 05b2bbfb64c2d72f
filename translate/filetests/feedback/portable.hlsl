// dxc: -T cs_6_5 -E main
//! options = portable
//! without = PSEUDO_IMAGE_ATOMICS
// error: portable SPIR-V
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
[numthreads(1, 1, 1)]
void main() {
  f.WriteSamplerFeedbackLevel(t, s, 0, 0);
}
