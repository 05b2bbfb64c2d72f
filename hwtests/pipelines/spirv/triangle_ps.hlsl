// dxc-spirv: -T ps_6_0 -E main
// The colour, and a constant that the pipeline sets.
[[vk::constant_id(0)]] const float blue = 0;

float4 main(float4 position : SV_Position, float4 colour : COLOR) : SV_Target {
  return float4(colour.rg, blue, colour.a);
}
