// dxc-newer: -T cs_6_8 -E main
// Barrier on a UAV object, on a heap resource, and with zero flags
//! options = heaps
// check: OpControlBarrier
// check: OpMemoryBarrier
// check: OpControlBarrier
#include "../../../hwtests/shaders/newer/barrier_object.hlsl"
