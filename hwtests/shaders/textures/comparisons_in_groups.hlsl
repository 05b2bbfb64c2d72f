// dxc: -T cs_6_6 -E main
// Comparisons at the level that the quad's derivatives choose.
Texture2D<float> Depth : register(t0);
SamplerComparisonState Less : register(s0);
RWStructuredBuffer<float2> Out : register(u0);

[numthreads(4, 4, 1)]
void main(uint2 at : SV_DispatchThreadID, uint index : SV_GroupIndex) {
  // One thread is 4 texels: level 2.
  float2 uv = float2(at) * 4 / 64;
  Out[index] = float2(Depth.SampleCmp(Less, uv, 0.2), Depth.SampleCmp(Less, uv, 0.3));
}
