// dxc-newer: -T cs_6_9 -E main
// native vectors: float arithmetic on vector<float,7>, fma, min/max/clamp, comparisons, select
// With long vectors in SPIR-V (SPV_EXT_long_vector) an operation is one instruction.
// check: OpCapability LongVectorEXT
// check: OpExtension "SPV_EXT_long_vector"
// check: $f = OpTypeFloat 32
// check: $v7 = OpTypeVector $f 7
// count: 1 OpFDiv
// count: 1 OpFOrdLessThan
// count: 1 OpAll
// count: 1 OpAny
#include "../../../hwtests/shaders/vectors/arith.hlsl"
