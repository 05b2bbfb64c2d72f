// dxc-newer: -T lib_6_8
// broadcasting launch with SV_DispatchGrid in the record and NodeMaxDispatchGrid; group outputs
//! entry = shadeTile
// The groups of the record, and one allocation for the group: a group-shared word tells all of it.
// check: OpDecorate $upper SpecId 5
// check: $told = OpVariable $p Workgroup
// check: $upper = OpSpecConstantTrue
// check: OpStore $told
// check: OpControlBarrier
// check: OpLoad $uint $told
// not:   OpGroupNonUniformIAdd
#include "../../../hwtests/shaders/nodes/broadcast_dynamic.hlsl"
