// dxc: -T vs_6_0 -E main
// In a vertex shader's input these names mean nothing.
// not: BuiltIn Layer
// not: BuiltIn ViewportIndex
// not: BuiltIn ClipDistance
// check: OpDecorate $c Location 3
float4 main(uint layer : SV_RenderTargetArrayIndex, uint view : SV_ViewportArrayIndex, float4 p : SV_Position, float clip : SV_ClipDistance) : SV_Position {
  return p + layer + view + clip;
}
