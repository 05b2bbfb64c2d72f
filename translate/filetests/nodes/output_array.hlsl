// dxc-newer: -T lib_6_8
// NodeOutputArray with dynamic index, NodeArraySize, sparse and unbounded arrays, node ids with array index
//! entry = classify
// Threads that chose the same node allocate together, in a loop over what they chose; nodes that are missing are not valid.
// check: OpGroupNonUniformBroadcastFirst
// check: OpINotEqual $bool $extra
#include "../../../hwtests/shaders/nodes/output_arrays.hlsl"
