// dxc-newer: -T cs_6_9 -E main
// native bool vectors: logical and/or/not, any/all, select, storage of bools as uint
// check: OpTypeVector $bool 10
// check: OpLogicalAnd
// count: 1 OpAny
// count: 1 OpAll
#include "../../../hwtests/shaders/vectors/bool.hlsl"
