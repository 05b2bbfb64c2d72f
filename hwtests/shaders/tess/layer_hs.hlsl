// dxc: -T hs_6_0 -E main
// What only the rasterizer knows as a system value is plain data between these stages.
struct I { float4 pos : SV_Position; float2 uv : UV; };
struct P { float4 pos : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; float clip : SV_ClipDistance; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float4 pos : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
C constants(OutputPatch<P, 3> o) {
  C c;
  c.edges[0] = c.edges[1] = c.edges[2] = c.inside = 1;
  c.pos = float4(0.25, 0.5, 0.75, 1);
  c.layer = o[0].layer + o[1].layer + o[2].layer;
  return c;
}
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[patchconstantfunc("constants")]
P main(InputPatch<I, 1> i, uint k : SV_OutputControlPointID) {
  P p;
  p.pos = float4(k == 1 ? 3 : -1, k == 2 ? 3 : -1, 0.5, 1);
  p.layer = k;
  p.view = 10 + k;
  p.clip = p.pos.x;
  return p;
}
