// dxc-newer: -T lib_6_8
// broadcasting launch with a fixed dispatch grid, node input record, entry node flag, output to a thread launch node
//! entry = expand
// check: OpEntryPoint GLCompute $entry "expand"
// check: OpDecorate $target SpecId 100
// check: OpDecorate $size BuiltIn WorkgroupSize
// check: $target = OpSpecConstant $uint 0
// check: $size = OpSpecConstantComposite
// check: OpGroupNonUniformIAdd $uint $scope Reduce
// check: OpFunctionCall
// check: OpControlBarrier
// count: 3 OpAtomicIAdd
struct Job { uint first; uint count; };
struct Item { uint index; float weight; };
RWStructuredBuffer<float> dst : register(u0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(4, 2, 1)] [NumThreads(32, 1, 1)]
void expand(DispatchNodeInputRecord<Job> job, uint3 g : SV_GroupID, uint t : SV_GroupIndex, uint3 id : SV_DispatchThreadID,
            [MaxRecords(32)] [NodeID("consume")] NodeOutput<Item> items) {
  Job j = job.Get();
  bool on = id.x < j.count;
  ThreadNodeOutputRecords<Item> r = items.GetThreadNodeOutputRecords(on ? 1 : 0);
  if (on) {
    r.Get().index = j.first + id.x;
    r.Get().weight = 1.0f / (g.y + 1);
  }
  r.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void consume(ThreadNodeInputRecord<Item> item) {
  dst[item.Get().index] += item.Get().weight;
}
