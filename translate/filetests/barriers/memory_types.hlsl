// dxc-newer: -T cs_6_8 -E main
// Barrier by memory type and semantic flags (UAV, group shared, all; group sync, device and group scope)
// check: OpControlBarrier
#include "../../../hwtests/shaders/newer/barrier_flags.hlsl"
