// dxc: -T vs_6_0 -E main
//! signature = invariant_position
// check: OpDecorate $p BuiltIn Position
// check: OpDecorate $p Invariant
float4 main(float4 p : P) : SV_Position { return p; }
