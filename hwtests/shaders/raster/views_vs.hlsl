// dxc: -T vs_6_1 -E main
struct O { float4 pos : SV_Position; nointerpolation uint view : VIEW; };
O main(uint id : SV_VertexID, uint view : SV_ViewID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  // View 0 covers all of it, the others one half.
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  if (view != 0) o.pos.x += 1;
  o.view = view + 10;
  return o;
}
