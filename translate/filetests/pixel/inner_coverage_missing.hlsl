// dxc: -T ps_6_0 -E main
//! without = FULLY_COVERED
// error: fullyCoveredFragmentShaderInputVariable
float4 main(uint inner : SV_InnerCoverage) : SV_Target { return inner; }
