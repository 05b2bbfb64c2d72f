// dxc: -T ps_6_0 -E main
// Red and green are texture coordinates: the mip follows from how fast they change.
Texture2D<float4> Image : register(t0);
SamplerState Smooth : register(s0);
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  return Image.Sample(Smooth, color.xy);
}
