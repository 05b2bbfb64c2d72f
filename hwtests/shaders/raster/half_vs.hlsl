// dxc: -T vs_6_2 -E main -enable-16bit-types
struct O { float4 pos : SV_Position; half3 h : H; nointerpolation uint16_t2 u : U; nointerpolation int16_t i : I; };
O main(uint id : SV_VertexID, half2 scale : SCALE) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  o.h = half3(scale, 0.125);
  o.u = uint16_t2(65535, 7);
  o.i = (int16_t)-3;
  return o;
}
