// dxc-newer: -T lib_6_8
// thread launch: read-write thread records, several outputs, IsValid, GetRemainingRecursionLevels and self recursion
//! entry = split
//! without = INT64
// error: shaderInt64
// How deep it may go is in the push constants.
struct Range { uint lo; uint hi; };
struct Leaf { uint at; };
RWStructuredBuffer<uint> dst : register(u0);

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(8)]
void split(RWThreadNodeInputRecord<Range> r,
           [MaxRecords(2)] [NodeID("split")] NodeOutput<Range> next,
           [MaxRecords(4)] [NodeID("leaf")] NodeOutput<Leaf> leaves) {
  Range q = r.Get();
  bool deeper = GetRemainingRecursionLevels() > 0 && q.hi - q.lo > 4;
  ThreadNodeOutputRecords<Range> o = next.GetThreadNodeOutputRecords(deeper ? 2 : 0);
  if (deeper) {
    uint mid = (q.lo + q.hi) / 2;
    o[0].lo = q.lo; o[0].hi = mid;
    o[1].lo = mid; o[1].hi = q.hi;
  }
  o.OutputComplete();
  uint n = !deeper && leaves.IsValid() ? min(q.hi - q.lo, 4u) : 0;
  ThreadNodeOutputRecords<Leaf> l = leaves.GetThreadNodeOutputRecords(n);
  for (uint i = 0; i < n; ++i) l[i].at = q.lo + i;
  l.OutputComplete();
  r.Get().lo = q.hi;
}
[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<Leaf> l) { dst[l.Get().at] = l.Get().at * 3; }
