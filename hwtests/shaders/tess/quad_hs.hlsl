// dxc: -T hs_6_0 -E main
// Each control point is changed before the patch constants are made from all of them.
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C {
  float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor;
  float4 sum : SUM; uint id : ID; float list[3] : LIST;
};
RWStructuredBuffer<float4> Log : register(u0);
C constants(InputPatch<P, 4> i, OutputPatch<P, 4> o, uint id : SV_PrimitiveID) {
  C c;
  [unroll] for (uint k = 0; k < 4; ++k) c.edges[k] = 2;
  c.inside[0] = 2; c.inside[1] = 3;
  c.sum = 0;
  for (uint n = 0; n < 4; ++n) c.sum += float4(o[n].uv, i[n].uv);
  c.id = id + 7;
  c.list[0] = o[3].pos.x; c.list[1] = i[0].pos.y; c.list[2] = o[id].uv.y;
  Log[0] = c.sum;
  Log[1] = float4(c.list[0], c.list[1], c.list[2], c.id);
  return c;
}
[domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)]
[patchconstantfunc("constants")]
P main(InputPatch<P, 4> i, uint k : SV_OutputControlPointID) {
  P p = i[k];
  p.uv = i[3 - k].uv * 2 + k;
  return p;
}
