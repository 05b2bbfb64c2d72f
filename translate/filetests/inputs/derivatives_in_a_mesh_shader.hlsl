// dxc: -T ms_6_6 -E main
// Mesh shaders have the quads of compute shaders.
//! targets = vulkan1.3
//! without = COMPUTE_DERIVATIVES_QUADS COMPUTE_DERIVATIVES_LINEAR
// check: LocalSize 16 4 1
// check: OpGroupNonUniformQuadBroadcast
// check: OpImageSampleExplicitLod $t $s $c Grad
// not: OpImageSampleImplicitLod
struct V { float4 at : SV_Position; };
Texture2D<float> Height : register(t0);
SamplerState Smooth : register(s0);
[numthreads(8, 8, 1)] [outputtopology("triangle")]
void main(uint3 t : SV_GroupThreadID, uint i : SV_GroupIndex, out vertices V v[64], out indices uint3 p[2]) {
  SetMeshOutputCounts(64, 2);
  V x;
  x.at = float4(t.xy, Height.Sample(Smooth, t.xy / 8.0), 1);
  v[i] = x;
  if (i < 2) p[i] = uint3(i, i + 1, i + 2);
}
