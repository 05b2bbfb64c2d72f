// dxc: -T ms_6_5 -E main
//! targets = vulkan1.3
// Outputs per primitive lie behind all rows of the vertices', system values included.
// check: OpDecorate $m Location 2
// check: OpDecorate $m PerPrimitiveEXT
struct V { float2 uv : UV; float4 pos : SV_Position; };
struct P { nointerpolation uint material : MATERIAL; };
[numthreads(3, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, out vertices V v[3], out indices uint3 i[1], out primitives P p[1]) {
  SetMeshOutputCounts(3, 1);
  v[t].uv = t;
  v[t].pos = t;
  i[0] = uint3(0, 1, 2);
  p[0].material = 7;
}
