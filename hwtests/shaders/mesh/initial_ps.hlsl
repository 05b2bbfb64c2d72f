// dxc: -T ps_6_5 -E main
struct Vertex {
  float4 position : SV_Position;
  nointerpolation uint4 k : K;
  nointerpolation float3 c : C;
};
struct Pixel { float4 a : SV_Target0; float4 b : SV_Target1; };

Pixel main(Vertex v) {
  Pixel o;
  o.a = v.k;
  o.b = float4(v.c, 1);
  return o;
}
