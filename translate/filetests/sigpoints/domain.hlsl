// dxc: -T ds_6_0 -E main
// Elements of each shape on all sides; `tests/system_values.rs` gives them other semantics.
// check: OpEntryPoint TessellationEvaluation
struct V { float4 f : F; uint u : U; float c : C; };
struct P { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float4 f : F; uint u : U; float c : C; };
[domain("tri")]
V main(P p, const OutputPatch<V, 3> i) { V v; v.f = i[0].f + p.f; v.u = i[1].u + p.u; v.c = i[2].c + p.c; return v; }
