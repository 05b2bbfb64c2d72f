// dxc: -T ps_6_0 -E main
struct V {
  float4 position : SV_Position;
  nointerpolation float flat : FLAT;
  linear float smooth : SMOOTH;
  noperspective float screen : SCREEN;
  nointerpolation uint id : ID;
};
float4 main(V v) : SV_Target { return float4(v.flat, v.smooth, v.screen, v.id); }
