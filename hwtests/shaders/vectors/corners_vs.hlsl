// dxc: -T vs_6_0 -E main
// Three vertices around all of the target; each triangle asks for another kernel.
struct V { float4 pos : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint k : KERNEL; };
V main(uint id : SV_VertexID) {
  V v;
  v.uv = float2(id % 3 == 1 ? 2 : 0, id % 3 == 2 ? 2 : 0);
  v.pos = float4(v.uv.x * 2 - 1, 1 - v.uv.y * 2, 0, 1);
  v.k = 2;
  return v;
}
