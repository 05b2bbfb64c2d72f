// dxc-newer: -T cs_6_9 -E main
//! without = LONG_VECTOR
// native bool vectors: logical and/or/not, any/all, select, storage of bools as uint
// Reductions are chains.
// check: OpLogicalOr
// check: OpLogicalAnd
#include "../../../hwtests/shaders/vectors/bool.hlsl"
