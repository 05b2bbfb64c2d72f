// dxc: -T cs_6_6 -E main
// Without derivative groups, derivatives are differences between the lanes of a quad, and samples
// take their gradients from them.
//! without = COMPUTE_DERIVATIVES_QUADS COMPUTE_DERIVATIVES_LINEAR
// not: DerivativeGroupLinearKHR
// not: OpDPdx
// not: OpDPdyFine
// not: OpImageSampleImplicitLod
// not: OpImageQueryLod
// check: LocalSize 16 4 1
// check: OpGroupNonUniformQuadBroadcast
// check: OpImageSampleExplicitLod $t1 $s1 $c1 Grad
// check: Exp2
// check: OpImageSampleExplicitLod $t2 $s2 $c2 Grad
// check: OpImageSampleDrefExplicitLod $t3 $s3 $c3 $r Grad
// check: OpImageQuerySizeLod
// check: OpGroupNonUniformQuadSwap
Texture2D<float> Colour : register(t0);
SamplerState Smooth : register(s0);
SamplerComparisonState Less : register(s1);
RWStructuredBuffer<float> Out : register(u0);
[numthreads(8, 8, 1)]
void main(uint2 at : SV_DispatchThreadID) {
  float2 uv = at / 8.0;
  float v = Colour.Sample(Smooth, uv) + Colour.SampleBias(Smooth, uv, 1) + Colour.SampleCmp(Less, uv, 0.5)
          + Colour.CalculateLevelOfDetail(Smooth, uv);
  Out[at.x] = v + ddy_fine(v);
}
