// dxc: -T ps_6_5 -E main
//! options = feedback_neighbours
// One 64-bit atomic per mip; the bits of the next regions stand beside the region's own. A bias makes the
// coordinates change faster, for the whole quad alike.
// check: OpTypeImage $ulong 2D 0 1 0 2 R64ui
// check: OpGroupNonUniformQuadBroadcast
// check: OpVectorTimesScalar
// check: OpImageQueryLod
// check: OpDPdx
// check: OpDPdy
// check: OpBitwiseAnd
// check: OpShiftLeftLogical $ulong
// check: OpAtomicOr $ulong
// check: OpSelectionMerge
// check: OpAtomicOr $ulong
// count: 2 OpAtomicOr
// not:   OpAtomicUMin
Texture2DArray<float4> t : register(t0);
SamplerState s : register(s0);
FeedbackTexture2DArray<SAMPLER_FEEDBACK_MIN_MIP> f : register(u0);
float4 main(float3 uv : UV) : SV_Target {
  f.WriteSamplerFeedbackBias(t, s, uv, 0.5);
  return 0;
}
