// dxc-newer: -T cs_6_8 -E main
// SampleCmpGrad in compute: shadow lookups along a ray with explicit gradients
//! without = MAINTENANCE8
// check: OpImageSampleDrefExplicitLod $float $image $at $ref Grad
#include "../../../hwtests/shaders/newer/cmp_grad.hlsl"
