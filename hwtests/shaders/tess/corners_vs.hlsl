// dxc: -T vs_6_0 -E main
// Corners of the target from the vertex number, and something to carry along.
struct P { float4 pos : SV_Position; float2 uv : UV; };
P main(uint id : SV_VertexID) {
  P p;
  float2 corner = float2(id & 1, (id >> 1) & 1);
  p.pos = float4(corner * 2 - 1, 0.5, 1);
  p.uv = corner + 0.25 * id;
  return p;
}
