// dxc: -T vs_6_1 -E main
//! without = MULTIVIEW
// error: multiview
float4 main(uint view : SV_ViewID) : SV_Position { return view; }
