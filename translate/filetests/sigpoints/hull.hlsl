// dxc: -T hs_6_0 -E main
// Elements of each shape on all sides; `tests/system_values.rs` gives them other semantics.
// check: OpEntryPoint TessellationControl
struct V { float4 f : F; uint u : U; float c : C; };
struct P { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float4 f : F; uint u : U; float c : C; };
P pc(InputPatch<V, 3> i) {
  P p;
  p.edges[0] = p.edges[1] = p.edges[2] = p.inside = 1;
  p.f = i[0].f; p.u = i[0].u; p.c = i[0].c;
  return p;
}
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("pc")]
V main(InputPatch<V, 3> i, uint k : SV_OutputControlPointID) { V v; v.f = i[k].f; v.u = i[k].u; v.c = i[k].c; return v; }
