// dxc-newer: -T cs_6_9 -E main
//! without = LONG_VECTOR
// native vectors: float arithmetic on vector<float,7>, fma, min/max/clamp, comparisons, select
// Elements are scalars: seven of everything, no arrays, no variables.
// count: 7 OpFDiv
// count: 7 OpFOrdLessThan
// not:   OpTypeArray
// not:   OpCompositeConstruct
#include "../../../hwtests/shaders/vectors/arith.hlsl"
