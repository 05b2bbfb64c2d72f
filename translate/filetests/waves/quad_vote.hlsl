// dxc-newer: -T cs_6_7 -E main
// QuadAny/QuadAll in 2D compute, with quad reads and compute derivatives
// check: OpGroupNonUniformQuadAnyKHR
// check: OpGroupNonUniformQuadAllKHR
// check: OpGroupNonUniformQuadSwap
#include "../../../hwtests/shaders/newer/quad_vote.hlsl"
