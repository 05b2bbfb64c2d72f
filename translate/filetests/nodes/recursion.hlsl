// dxc-newer: -T lib_6_8
// thread launch: read-write thread records, several outputs, IsValid, GetRemainingRecursionLevels and self recursion
//! entry = split
// How deep it may go is in the push constants.
// check: OpMemberDecorate $push 8 Offset 60
// check: OpULessThan
// not:   OpControlBarrier
#include "../../../hwtests/shaders/nodes/thread_nodes.hlsl"
