// dxc: -T cs_6_5 -E main
//! options = portable
// naga's front end has no atomics on images: each is a store of two components, which the reader
// replaces by the atomic.
// not:   OpImageTexelPointer
// not:   OpAtomic
// check: OpImageQuerySize
// check: OpImageWrite
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
[numthreads(1, 1, 1)]
void main() {
  f.WriteSamplerFeedbackLevel(t, s, 0, 0);
}
