// dxc-newer: -T cs_6_8 -E main
// SampleCmpGrad in compute: shadow lookups along a ray with explicit gradients
//! without = MAINTENANCE8
// check: OpImageSampleDrefExplicitLod $float $image $at $ref Grad
Texture2D<float> shadow : register(t0);
Texture2DArray<float> cascades : register(t1);
TextureCube<float> point_ : register(t2);
SamplerComparisonState cmp : register(s0);
RWTexture2D<float> fog : register(u0);
cbuffer C : register(b0) { float4x4 toLight; float3 origin; float stepLen; float2 texel; uint steps; };

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float3 dir = normalize(float3(float2(id) * texel * 2 - 1, 1));
  float sum = 0;
  for (uint i = 0; i < steps; ++i) {
    float3 p = origin + dir * (stepLen * (i + 0.5f));
    float4 q = mul(toLight, float4(p, 1));
    sum += shadow.SampleCmpGrad(cmp, q.xy, q.z, float2(texel.x, 0), float2(0, texel.y), int2(i & 1, 0));
    sum += cascades.SampleCmpGrad(cmp, float3(q.xy, i & 3), q.z, texel, -texel) * 0.5f;
    sum += point_.SampleCmpGrad(cmp, p, length(p), p * texel.x, p.zxy * texel.y) * 0.25f;
  }
  fog[id] = sum / max(steps, 1u);
}
