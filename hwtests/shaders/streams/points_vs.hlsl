// dxc: -T vs_6_0 -E main
struct V { float4 pos : SV_Position; uint id : ID; };
V main(uint id : SV_VertexID) {
  V v;
  v.pos = float4((id + 0.5) / 4 - 1, 0, 0.5, 1);
  v.id = id;
  return v;
}
