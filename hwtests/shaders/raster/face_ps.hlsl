// dxc: -T ps_6_0 -E main
// The face as a number.
uint4 main(float4 pos : SV_Position, uint face : SV_IsFrontFace) : SV_Target {
  return uint4(face, face & 6, face + 2, pos.y);
}
