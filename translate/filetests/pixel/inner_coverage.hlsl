// dxc: -T ps_6_0 -E main
// check: OpCapability FragmentFullyCoveredEXT
// check: BuiltIn FullyCoveredEXT
float4 main(uint inner : SV_InnerCoverage) : SV_Target { return inner; }
