// dxc: -T ps_6_2 -E main -enable-16bit-types
struct O { float4 pos : SV_Position; half3 h : H; nointerpolation uint16_t2 u : U; nointerpolation int16_t i : I; };
struct T { float4 a : SV_Target0; int4 b : SV_Target1; };
T main(O o) {
  T t;
  t.a = float4(o.h, o.h.x + o.h.y);
  t.b = int4(o.u, o.i, o.i * o.i);
  return t;
}
