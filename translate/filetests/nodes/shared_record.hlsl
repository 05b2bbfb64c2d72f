// dxc-newer: -T lib_6_8
// RWDispatchNodeInputRecord with tracked sharing, FinishedCrossGroupSharing, globallycoherent record, node input barrier
//! entry = total
// The counter behind the record goes down, and the last one to take it is told.
// check: OpMemberDecorate $block 0 Coherent
// check: $less = OpConstant $uint 4294967295
// check: OpAtomicIAdd $uint $counter $device $relaxed $less
#include "../../../hwtests/shaders/nodes/cross_group.hlsl"
