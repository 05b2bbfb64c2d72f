// dxc: -T vs_6_1 -E main
//! without = MULTIVIEW
//! signature = view constant 3
// not: MultiView
// check: OpConvertUToF $f $three
float4 main(uint view : SV_ViewID) : SV_Position { return view; }
