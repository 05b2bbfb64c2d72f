// dxc: -T ds_6_0 -E main
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C {
  float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor;
  float4 sum : SUM; uint id : ID; float list[3] : LIST;
};
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
[domain("quad")]
O main(C c, float2 uv : SV_DomainLocation, const OutputPatch<P, 4> p, uint primitive : SV_PrimitiveID) {
  O o;
  o.pos = lerp(lerp(p[0].pos, p[1].pos, uv.x), lerp(p[2].pos, p[3].pos, uv.x), uv.y);
  float2 carried = lerp(lerp(p[0].uv, p[1].uv, uv.x), lerp(p[2].uv, p[3].uv, uv.x), uv.y);
  o.color = float4(carried, c.list[c.id % 3] + c.edges[1], c.sum.x + c.inside[1]);
  o.id = c.id + primitive;
  return o;
}
