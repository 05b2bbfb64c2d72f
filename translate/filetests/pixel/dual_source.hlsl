// dxc: -T ps_6_0 -E main
//! signature = dual_source
// check: OpDecorate $a Index 0
// check: Location 0
// check: OpDecorate $b Index 1
struct O { float4 a : SV_Target0; float4 b : SV_Target1; };
O main(float4 p : P) { O o; o.a = p; o.b = p.wzyx; return o; }
