// dxc: -T ps_6_0 -E main
float4 main(float4 position : SV_Position, float4 color : COLOR, bool front : SV_IsFrontFace) : SV_Target {
  return front ? color : 1 - color;
}
