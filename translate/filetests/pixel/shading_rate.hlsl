// dxc: -T ps_6_4 -E main
//! targets = vulkan1.2 vulkan1.3
// check: OpDecorate $r BuiltIn ShadingRateKHR
// check: OpDecorate $r Flat
float4 main(nointerpolation uint rate : SV_ShadingRate) : SV_Target { return rate; }
