// dxc: -T ps_6_0 -E main
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  float square = position.x * position.x + 10 * position.y;
  return float4(ddx_fine(square), ddy_fine(square), fwidth(color.x), ddx_coarse(color.y));
}
