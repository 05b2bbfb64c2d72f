// dxc-newer: -T cs_6_9 -E main
//! without = LONG_VECTOR
// native vectors at the maximum: 1024 components, plus groupshared copies of 128
// 1024 loads and as many stores; one array for group-shared memory and one to pick from.
// count: 1 OpTypeArray
// count: 1024 OpFMul
// count: 1154 OpLoad
// count: 1280 OpStore
#include "../../../hwtests/shaders/vectors/big.hlsl"
