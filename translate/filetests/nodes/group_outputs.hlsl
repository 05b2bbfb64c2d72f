// dxc-newer: -T lib_6_8
// NodeShareInputOf, local root argument table index, output barriers, records holding arrays, 64-bit and half vectors
//! entry = left
// check: OpMemberDecorate $block 0 Coherent
// check: OpVariable $p Workgroup
#include "../../../hwtests/shaders/nodes/share_input.hlsl"
