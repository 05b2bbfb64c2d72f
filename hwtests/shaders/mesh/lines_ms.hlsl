// dxc: -T ms_6_5 -E main
// Horizontal lines, one per thread; the odd ones are culled.
struct V { float4 pos : SV_Position; };
struct P { bool cull : SV_CullPrimitive; uint id : SV_PrimitiveID; };
[numthreads(8, 1, 1)]
[outputtopology("line")]
void main(uint t : SV_GroupIndex, out vertices V v[16], out indices uint2 l[8], out primitives P p[8]) {
  SetMeshOutputCounts(16, 8);
  float y = 1 - (t + 0.5) / 4;
  v[t * 2].pos = float4(-1, y, 0, 1);
  v[t * 2 + 1].pos = float4(1, y, 0, 1);
  l[t] = uint2(t * 2, t * 2 + 1);
  p[t].cull = t % 2 != 0;
  p[t].id = 50 + t;
}
