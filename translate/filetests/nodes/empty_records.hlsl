// dxc-newer: -T lib_6_8
// empty node inputs and outputs, group and thread increment counts, EmptyNodeOutputArray
//! entry = start
// Nothing is allocated for empty records.
// check: OpDecorate $ping SpecId 100
// count: 3 OpAtomicIAdd
// not:   OpGroupNonUniformIAdd
globallycoherent RWStructuredBuffer<uint> counts : register(u0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)]
void start(uint g : SV_GroupID, uint t : SV_GroupIndex,
           [MaxRecords(32)] EmptyNodeOutput ping, [MaxRecords(8)] EmptyNodeOutput pong,
           [MaxRecords(4)] [NodeArraySize(4)] EmptyNodeOutputArray fan) {
  ping.ThreadIncrementOutputCount(t & 1);
  pong.GroupIncrementOutputCount(g);
  fan[g & 3].GroupIncrementOutputCount(1);
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void ping([MaxRecords(32)] EmptyNodeInput in_, uint t : SV_GroupIndex) { if (t == 0) InterlockedAdd(counts[0], in_.Count()); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void pong() { InterlockedAdd(counts[1], 1); }
