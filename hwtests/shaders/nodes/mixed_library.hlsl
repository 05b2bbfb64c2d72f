// dxc-newer: -T lib_6_8
// nodes, compute and shared functions in one library; nodes with WaveSize, heap access and function parameters taking records
struct Task { uint at; uint slot; };
RWStructuredBuffer<uint> dst : register(u0);

uint work(uint a) { uint x = a; for (uint i = 0; i < (a & 7); ++i) x = x * 1664525u + 1013904223u; return x; }
void put(RWDispatchNodeInputRecord<Task> t, uint v) { t.Get().at ^= v; }
void emit(ThreadNodeOutputRecords<Task> o, uint a, uint s) { o.Get().at = a; o.Get().slot = s; }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [WaveSize(4, 64)]
void head(RWDispatchNodeInputRecord<Task> task, uint t : SV_GroupIndex, [MaxRecords(32)] [NodeID("tail")] NodeOutput<Task> next) {
  RWStructuredBuffer<uint> heap = ResourceDescriptorHeap[task.Get().slot];
  heap[t] = work(task.Get().at + t);
  if (t == 0) put(task, 5);
  ThreadNodeOutputRecords<Task> o = next.GetThreadNodeOutputRecords(1);
  emit(o, heap[t], WaveActiveMax(t));
  o.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void tail(ThreadNodeInputRecord<Task> t) { dst[t.Get().at & 1023] = work(t.Get().slot); }

[Shader("compute")] [NumThreads(64, 1, 1)]
void clear(uint id : SV_DispatchThreadID) { dst[id] = work(id) & 0; }
