// dxc: -T gs_6_0 -E main
// Elements of each shape on both sides; `tests/system_values.rs` gives them other semantics.
// check: OpEntryPoint Geometry
struct V { float4 f : F; uint u : U; float c : C; };
[maxvertexcount(1)]
void main(triangle V i[3], inout PointStream<V> s) { V v; v.f = i[0].f; v.u = i[1].u; v.c = i[2].c; s.Append(v); }
