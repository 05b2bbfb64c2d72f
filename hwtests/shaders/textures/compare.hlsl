// dxc: -T cs_6_0 -E main
// Comparison sampling and gathering of a depth-like texture.
Texture2D<float> T : register(t0);
SamplerComparisonState S : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float reference = id * 0.125 + 0.0625;
  float4 r;
  r.x = T.SampleCmpLevelZero(S, float2(0.125, 0.125), reference);
  r.y = T.SampleCmpLevelZero(S, float2(0.875, 0.625), reference);
  float4 g = T.GatherCmp(S, float2(0.5, 0.5), reference);
  r.z = g.x + g.y * 2 + g.z * 4 + g.w * 8;
  r.w = reference;
  Out[id] = r;
}
