// dxc-newer: -T cs_6_9 -E main
// native vectors at the maximum: 1024 components, plus groupshared copies of 128
// Only the buffers are read and written by element.
// check: OpTypeVector $f 1024
// count: 1 OpFMul
#include "../../../hwtests/shaders/vectors/big.hlsl"
