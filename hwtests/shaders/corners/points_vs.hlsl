// dxc: -T vs_6_0 -E main
// Points at pixels (0, 0), (2, 0) and (3, 0) of a target of four by two pixels.
void main(uint id : SV_VertexID, out float4 position : SV_Position) {
  uint x = id + (id != 0);
  position = float4((x + 0.5) / 2 - 1, 0.5, 0, 1);
}
