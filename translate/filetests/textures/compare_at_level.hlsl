// dxc-newer: -T ps_6_7 -E main
// SampleCmpLevel on 1D, 2D, 2D array, cube and cube array shadow maps
// check: OpImageSampleDrefExplicitLod $float $image $at $ref Lod
Texture1D<float> s1 : register(t0);
Texture2D<float> s2 : register(t1);
Texture2DArray<float> s2a : register(t2);
TextureCube<float> sc : register(t3);
TextureCubeArray<float> sca : register(t4);
SamplerComparisonState cmp : register(s0);

float main(float4 pos : SV_Position, float3 dir : DIR, float depth : DEPTH, float lod : LOD) : SV_Target {
  float r = s1.SampleCmpLevel(cmp, dir.x, depth, lod);
  r += s2.SampleCmpLevel(cmp, dir.xy, depth, lod, int2(1, -2));
  r += s2a.SampleCmpLevel(cmp, dir, depth, lod + 1);
  r += sc.SampleCmpLevel(cmp, dir, depth, 2.0f);
  r += sca.SampleCmpLevel(cmp, float4(dir, 3), depth, lod);
  return r * 0.2f;
}
