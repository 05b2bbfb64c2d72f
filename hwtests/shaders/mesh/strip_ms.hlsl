// dxc: -T ms_6_5 -E main
// A row of 4 columns per group, two triangles each, written by as many threads as there are; data per
// vertex and per primitive, the latter named in the pixel shader before data per vertex.
struct V { float4 pos : SV_Position; float2 uv : UV; };
struct P { uint shade : SHADE; float2 weight[2] : WEIGHT; };
[numthreads(32, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupThreadID, uint3 g : SV_GroupID,
          out vertices V v[10], out indices uint3 tri[8], out primitives P p[8]) {
  SetMeshOutputCounts(10, 8);
  if (t < 10) {
    float2 at = float2(t / 2, g.x + t % 2);
    v[t].pos = float4(at.x / 2 - 1, 1 - at.y / 2, 0.5, 1);
    v[t].uv = at;
  }
  if (t < 8) {
    uint q = t / 2 * 2;
    tri[t] = t % 2 ? uint3(q + 1, q, q + 3) : uint3(q, q + 2, q + 3);
    p[t].shade = g.x * 100 + t / 2;
    p[t].weight[0] = float2(t / 2, 0.25);
    p[t].weight[1] = float2(g.x, 0.5);
  }
}
