// dxc-newer: -T cs_6_9 -E main
//! without = LONG_VECTOR
// native vectors at the maximum: 1024 components, plus groupshared copies of 128
// Rows of four: 288 loads of the buffer and as many stores; one array for group-shared memory and one to
// pick from.
// count: 1 OpTypeArray
// count: 1024 OpFMul
// count: 290 OpLoad
// count: 416 OpStore
#include "../../../hwtests/shaders/vectors/big.hlsl"
