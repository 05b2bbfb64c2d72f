// dxc: -T ps_6_0 -E main
Texture2D<float> Shadow : register(t0);
SamplerComparisonState Compare : register(s0);
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  return float4(Shadow.SampleCmp(Compare, color.xy, color.z),
                Shadow.SampleCmpLevelZero(Compare, color.xy, 1 - color.z), 0, 1);
}
