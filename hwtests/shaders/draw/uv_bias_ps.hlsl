// dxc: -T ps_6_0 -E main
Texture2D<float4> Image : register(t0);
SamplerState Smooth : register(s0);
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  return float4(Image.SampleBias(Smooth, color.xy, 1).x, Image.SampleBias(Smooth, color.xy, 2).x,
                Image.CalculateLevelOfDetail(Smooth, color.xy),
                Image.SampleGrad(Smooth, color.xy, float2(1, 0), float2(0, 1)).x);
}
