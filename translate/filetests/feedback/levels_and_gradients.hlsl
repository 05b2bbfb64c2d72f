// dxc: -T cs_6_5 -E main
// Explicit levels and gradients need no derivatives; the gradient's length is in texels.
// not:   OpCapability ComputeDerivativeGroupLinearKHR
// check: OpImageQuerySizeLod
// check: OpDot
// check: OpExtInst $float $glsl Log2
// count: 8 OpAtomicUMin
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
  f.WriteSamplerFeedbackGrad(t, s, i / 8.0, 0.25, 0.5);
  f.WriteSamplerFeedbackLevel(t, s, i / 8.0, i);
}
