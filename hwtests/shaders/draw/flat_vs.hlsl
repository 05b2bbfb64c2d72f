// dxc: -T vs_6_0 -E main
// One number in four ways of interpolation.
struct V {
  float4 position : SV_Position;
  nointerpolation float flat : FLAT;
  linear float smooth : SMOOTH;
  noperspective float screen : SCREEN;
  nointerpolation uint id : ID;
};
V main(float4 position : POSITION, float4 color : COLOR, uint id : SV_VertexID) {
  V v;
  v.position = position;
  v.flat = v.smooth = v.screen = color.x;
  v.id = id;
  return v;
}
