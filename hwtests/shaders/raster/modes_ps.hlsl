// dxc: -T ps_6_0 -E main
struct O {
  float4 pos : SV_Position;
  float2 uv : UV;
  noperspective float2 flat_uv : FLATUV;
  nointerpolation float2 first : FIRST;
  centroid float2 inside : INSIDE;
};
struct T { float4 a : SV_Target0; float4 b : SV_Target1; };
T main(O o, bool front : SV_IsFrontFace) {
  T t;
  t.a = float4(o.uv.x, o.flat_uv.x, o.first.x, o.pos.w);
  t.b = float4(o.pos.xyz, front ? 1 : 2);
  return t;
}
