// dxc: -T ps_6_0 -E main
// Shows a material's number.
uint main(float4 position : SV_Position, nointerpolation uint material : MAT) : SV_Target {
  return material;
}
