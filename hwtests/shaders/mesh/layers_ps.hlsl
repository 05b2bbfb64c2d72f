// dxc: -T ps_6_5 -E main
float4 main(float4 at : SV_Position, nointerpolation uint id : ID, uint layer : SV_RenderTargetArrayIndex) : SV_Target {
  return float4(id, layer, 0, 1);
}
