// dxc: -T vs_6_0 -E main
// A strip of four vertices over the whole target, one half of it twice as far away.
struct O {
  float4 pos : SV_Position;
  float2 uv : UV;
  noperspective float2 flat_uv : FLATUV;
  nointerpolation float2 first : FIRST;
  centroid float2 inside : INSIDE;
};
O main(uint id : SV_VertexID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  float w = 1 + corner.x;
  o.pos = float4(corner * 2 - 1, 0.5, 1) * w;
  o.uv = corner;
  o.flat_uv = corner;
  o.first = id + 10;
  o.inside = corner;
  return o;
}
