// dxc: -T vs_6_0 -E main
//! signature = point_size
// check: OpDecorate $size BuiltIn PointSize
// count: 1 OpStore $size
float4 main(float4 p : P) : SV_Position { return p; }
