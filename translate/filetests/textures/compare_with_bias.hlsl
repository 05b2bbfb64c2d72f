// dxc-newer: -T ps_6_8 -E main
// SampleCmpBias on 1D, 2D, arrays and cubes; constant and dynamic offsets, clamp, status
//! without = MAINTENANCE8
// check: OpCapability MinLod
// check: OpImageSampleDrefImplicitLod $float $image $at $ref Bias
Texture1D<float> s1 : register(t0);
Texture2D<float> s2 : register(t1);
Texture2DArray<float> s2a : register(t2);
TextureCube<float> sc : register(t3);
TextureCubeArray<float> sca : register(t4);
SamplerComparisonState cmp : register(s0);

float main(float4 pos : SV_Position, float3 d : DIR, float z : DEPTH, nointerpolation int2 off : OFF) : SV_Target {
  uint st;
  float r = s1.SampleCmpBias(cmp, d.x, z, 0.5f);
  r += s2.SampleCmpBias(cmp, d.xy, z, -1.0f, int2(3, -4));
  r += s2.SampleCmpBias(cmp, d.yx, z, 0.25f, off);
  r += s2a.SampleCmpBias(cmp, d, z, 0.0f, int2(0, 1), 1.5f, st);
  if (!CheckAccessFullyMapped(st)) r += 10;
  r += sc.SampleCmpBias(cmp, d, z, d.x);
  r += sca.SampleCmpBias(cmp, float4(d, 2), z, 0.0f);
  return r;
}
