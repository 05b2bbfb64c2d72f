// dxc: -T ds_6_0 -E main
// check: OpEntryPoint TessellationEvaluation
// check: Patch
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float2 shift : SHIFT; };
struct P { float4 pos : POSITION; float2 uv : UV; };
struct O { float4 pos : SV_Position; float2 uv : UV; };
[domain("tri")]
O main(C c, float3 b : SV_DomainLocation, const OutputPatch<P, 3> p, uint id : SV_PrimitiveID) {
  O o;
  o.pos = p[0].pos * b.x + p[1].pos * b.y + p[2].pos * b.z;
  o.uv = p[id % 3].uv + c.shift + c.edges[1] + c.inside;
  return o;
}
