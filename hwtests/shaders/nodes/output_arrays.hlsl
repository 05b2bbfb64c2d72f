// dxc-newer: -T lib_6_8
// NodeOutputArray with dynamic index, NodeArraySize, sparse and unbounded arrays, node ids with array index
struct Work { uint kind; float4 data; };
RWStructuredBuffer<float4> dst : register(u0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(16, 1, 1)]
void classify(DispatchNodeInputRecord<Work> w, uint t : SV_GroupIndex,
              [MaxRecords(16)] [NodeArraySize(3)] [NodeID("material")] NodeOutputArray<Work> mats,
              [MaxRecords(4)] [UnboundedSparseNodes] [NodeID("extra")] NodeOutputArray<Work> extra,
              [MaxRecordsSharedWith(mats)] [AllowSparseNodes] [NodeArraySize(8)] [NodeID("other")] NodeOutputArray<Work> other) {
  uint k = (w.Get().kind + t) % 3;
  ThreadNodeOutputRecords<Work> o = mats[k].GetThreadNodeOutputRecords(1);
  o.Get().kind = t;
  o.Get().data = w.Get().data * t;
  o.OutputComplete();
  bool v = extra[5].IsValid() && t == 0;
  ThreadNodeOutputRecords<Work> e = extra[5].GetThreadNodeOutputRecords(v ? 1 : 0);
  if (v) e.Get().data = 1;
  e.OutputComplete();
}
[Shader("node")] [NodeID("material", 0)] [NodeLaunch("thread")] void m0(ThreadNodeInputRecord<Work> w) { dst[w.Get().kind] = w.Get().data; }
[Shader("node")] [NodeID("material", 1)] [NodeLaunch("thread")] void m1(ThreadNodeInputRecord<Work> w) { dst[w.Get().kind] = -w.Get().data; }
[Shader("node")] [NodeID("material", 2)] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void m2([MaxRecords(4)] GroupNodeInputRecords<Work> w, uint t : SV_GroupIndex) { if (t < w.Count()) dst[w[t].kind] = w[t].data.wzyx; }
