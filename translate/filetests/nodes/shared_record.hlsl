// dxc-newer: -T lib_6_8
// RWDispatchNodeInputRecord with tracked sharing, FinishedCrossGroupSharing, globallycoherent record, node input barrier
//! entry = total
// The counter behind the record goes down, and the last one to take it is told.
// check: OpMemberDecorate $block 0 Coherent
// check: $less = OpConstant $uint 4294967295
// check: OpAtomicIAdd $uint $counter $device $relaxed $less
struct [NodeTrackRWInputSharing] Shared { uint3 grid : SV_DispatchGrid; uint sum; uint done; };
RWStructuredBuffer<uint> dst : register(u0);
StructuredBuffer<uint> src : register(t0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeMaxDispatchGrid(32, 1, 1)] [NumThreads(64, 1, 1)]
void total(globallycoherent RWDispatchNodeInputRecord<Shared> rec, uint id : SV_DispatchThreadID, uint t : SV_GroupIndex) {
  uint s = WaveActiveSum(src[id]);
  if (WaveIsFirstLane()) InterlockedAdd(rec.Get().sum, s);
  Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
  if (!rec.FinishedCrossGroupSharing()) return;
  if (t == 0) {
    rec.Get().done = 1;
    dst[0] = rec.Get().sum;
  }
}
