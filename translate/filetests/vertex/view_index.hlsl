// dxc: -T vs_6_1 -E main
// check: OpCapability MultiView
// check: BuiltIn ViewIndex
float4 main(uint view : SV_ViewID) : SV_Position { return view; }
