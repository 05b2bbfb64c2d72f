// dxc: -T ps_6_0 -E main
// Four render targets; the third has gaps in its channels, the last one is of integers.
struct T { float4 a : SV_Target0; float2 b : SV_Target1; float c : SV_Target2; uint d : SV_Target3; };
T main(float4 position : SV_Position, float4 color : COLOR) {
  T t;
  t.a = color;
  t.b = position.xy;
  t.c = color.x * 2;
  t.d = uint(position.x) * 10 + uint(position.y);
  return t;
}
