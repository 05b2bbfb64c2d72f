// dxc: -T ps_6_0 -E main
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  if ((uint(position.x) + uint(position.y)) % 2 == 1)
    discard;
  return color;
}
