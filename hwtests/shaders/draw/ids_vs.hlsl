// dxc: -T vs_6_0 -E main
// Instance i is a quad over column i of eight; what the vertex shader knows is its colour.
struct V { float4 position : SV_Position; nointerpolation float4 color : COLOR; };
V main(uint vertex : SV_VertexID, uint instance : SV_InstanceID, float4 shade : SHADE) {
  uint corner = vertex % 4;
  float x = (instance + (corner & 1)) / 4.0 - 1;
  float y = (corner >> 1) * 2.0 - 1;
  V v;
  v.position = float4(x, y, 0, 1);
  v.color = float4(vertex / 4, instance, shade.xy);
  return v;
}
