// dxc: -T ps_6_0 -E main
//! signature = dual_source
// count: 3 OpDecorate $x Location 0
// not: Location 2
// check: Private
struct O { float4 a : SV_Target0; float4 b : SV_Target1; float4 c : SV_Target2; };
O main(float4 p : P) { O o; o.a = 1; o.b = 2; o.c = p; return o; }
