// dxc-newer: -T lib_6_8
// coalescing launch: read-write group records, groupshared, barriers by memory type and on records
//! entry = bin
// Records that a barrier hands on are coherent; the group takes at most 64.
// check: OpMemberDecorate $block 0 Coherent
// check: OpControlBarrier
// check: OpExtInst $uint $glsl UMin
#include "../../../hwtests/shaders/nodes/coalesce_sort.hlsl"
