// dxc: -T cs_6_6 -E main
// A thread group without whole quads: nothing changes between lanes, so the most detailed level is sampled.
// count: 2 OpImageSampleExplicitLod
// not: OpDPdx
// not: DerivativeGroup
#include "../../../hwtests/shaders/textures/partial_quads.hlsl"
