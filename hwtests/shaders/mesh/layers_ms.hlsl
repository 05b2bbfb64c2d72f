// dxc: -T ms_6_5 -E main
// One triangle over everything into each layer, and half of it cut off by a clip distance.
struct V { float4 pos : SV_Position; float clip : SV_ClipDistance; nointerpolation uint id : ID; };
struct P { uint layer : SV_RenderTargetArrayIndex; };
[numthreads(3, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, uint3 g : SV_GroupID, out vertices V v[3], out indices uint3 tri[1], out primitives P p[1]) {
  SetMeshOutputCounts(3, 1);
  float2 at = float2(t == 1 ? 3 : -1, t == 2 ? 3 : -1);
  v[t].pos = float4(at, 0.5, 1);
  v[t].clip = g.x == 1 ? at.x : 1;
  v[t].id = g.x + 7;
  if (t == 0) { tri[0] = uint3(0, 1, 2); p[0].layer = g.x; }
}
