// dxc: -T ps_6_0 -E main
struct T { float4 a : SV_Target0; float4 b : SV_Target1; };
T main(float4 position : SV_Position, float4 color : COLOR) {
  T t;
  t.a = color;
  t.b = color.wzyx;
  return t;
}
