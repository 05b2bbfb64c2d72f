// dxc: -T cs_6_6 -E main
// Implicit level of detail in compute with a bias and with comparison.
Texture2D<float> T : register(t0);
Texture2D<float> Depth : register(t1);
SamplerState S : register(s0);
SamplerComparisonState C : register(s1);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  // Two texels per thread: level 1.
  float2 uv = float2(id) / 8 + 1.0 / 16;
  float4 r;
  r.x = T.SampleBias(S, uv, 1);
  r.y = T.Sample(S, uv);
  r.z = Depth.SampleCmp(C, uv, 0.5);
  r.w = T.CalculateLevelOfDetail(S, uv);
  Out[id.y * 8 + id.x] = r;
}
