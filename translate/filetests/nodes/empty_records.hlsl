// dxc-newer: -T lib_6_8
// empty node inputs and outputs, group and thread increment counts, EmptyNodeOutputArray
//! entry = start
// Nothing is allocated for empty records.
// check: OpDecorate $ping SpecId 100
// count: 3 OpAtomicIAdd
// not:   OpGroupNonUniformIAdd
#include "../../../hwtests/shaders/nodes/empty_records.hlsl"
