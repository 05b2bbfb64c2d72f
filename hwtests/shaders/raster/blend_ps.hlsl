// dxc: -T ps_6_0 -E main
struct T { float4 a : SV_Target0; float4 b : SV_Target1; };
T main(float4 pos : SV_Position) {
  T t;
  t.a = float4(0.25, 0.5, 0.75, 1);
  t.b = float4(0.5, 0.25, 1, 0.5) * (pos.x < 2 ? 1 : 0);
  return t;
}
