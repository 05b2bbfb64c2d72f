// dxc: -T ps_6_0 -E main
// Elements of each shape on both sides; `tests/system_values.rs` gives them other semantics.
// check: OpEntryPoint Fragment
struct O { float4 f : SV_Target0; uint u : SV_Target1; float c : SV_Target2; };
O main(float4 f : F, nointerpolation uint u : U, float c : C) { O o; o.f = f; o.u = u; o.c = c; return o; }
