// dxc-newer: -T cs_6_9 -E main
// cross-lane operations of native vectors
// Cross-lane operations take one component at a time; the others take vectors.
// check: OpCompositeExtract
// check: OpGroupNonUniformFAdd
// check: OpCompositeConstruct
#include "../../../hwtests/shaders/vectors/wave.hlsl"
