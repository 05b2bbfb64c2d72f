// dxc-newer: -T cs_6_7 -E main
// SampleCmpLevel with residency status, cascade selection in compute
Texture2DArray<float> cascades : register(t0);
SamplerComparisonState cmp : register(s0);
StructuredBuffer<float4> points : register(t1);
RWStructuredBuffer<float2> lit : register(u0);
cbuffer Shadow : register(b0) { float4x4 toLight[4]; float4 splits; };

[numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
  float4 p = points[i];
  uint c = dot(uint4(p.wwww > splits), 1u);
  c = min(c, 3u);
  float4 lp = mul(toLight[c], float4(p.xyz, 1));
  lp.xyz /= lp.w;
  uint status;
  float l = cascades.SampleCmpLevel(cmp, float3(lp.xy, c), lp.z, (float)c, int2(0, 0), status);
  lit[i] = float2(l, CheckAccessFullyMapped(status) ? 1.0f : 0.0f);
}
