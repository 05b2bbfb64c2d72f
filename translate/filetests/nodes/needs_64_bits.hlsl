// dxc-newer: -T lib_6_8
// thread launch: read-write thread records, several outputs, IsValid, GetRemainingRecursionLevels and self recursion
//! entry = split
//! without = INT64
// error: shaderInt64
// How deep it may go is in the push constants.
#include "../../../hwtests/shaders/nodes/thread_nodes.hlsl"
