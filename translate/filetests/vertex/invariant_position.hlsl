// dxc: -T vs_6_0 -E main
//! signature = invariant_position
// check: OpDecorate $p BuiltIn Position
// check: OpDecorate $p Invariant
#include "point_size.hlsl"
