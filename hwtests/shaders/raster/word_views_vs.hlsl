// dxc: -T vs_6_1 -E main
// A view instance whose number comes from a word in a constant buffer.
cbuffer View : register(b0) { uint word; uint mark; };
cbuffer Mask : register(b1) { uint mask; uint shift; };
struct O { float4 pos : SV_Position; nointerpolation uint view : VIEW; };
O main(uint id : SV_VertexID, uint view : SV_ViewID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  o.pos.x += shift;
  o.view = view + mark;
  return o;
}
