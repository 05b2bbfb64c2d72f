// dxc: -T vs_6_0 -E main
// Elements of each shape on both sides; `tests/system_values.rs` gives them other semantics.
// check: OpEntryPoint Vertex
struct O { float4 f : F; uint u : U; float c : C; };
O main(float4 f : F, uint u : U, float c : C) { O o; o.f = f; o.u = u; o.c = c; return o; }
