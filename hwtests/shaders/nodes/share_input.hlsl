// dxc-newer: -T lib_6_8
// NodeShareInputOf, local root argument table index, output barriers, records holding arrays, 64-bit and half vectors
struct Rec { float3 p[2]; uint64_t key; float4x3 m; };
struct Out { float3 q; uint k; };
RWByteAddressBuffer dst : register(u0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(2, 1, 1)] [NumThreads(4, 1, 1)] [NodeLocalRootArgumentsTableIndex(2)]
void left(DispatchNodeInputRecord<Rec> r, uint t : SV_GroupIndex, [MaxRecords(4)] [NodeID("sink")] NodeOutput<Out> o) {
  GroupNodeOutputRecords<Out> g = o.GetGroupNodeOutputRecords(4);
  g[t].q = mul(float4(r.Get().p[t & 1], 1), r.Get().m);
  g[t].k = (uint)(r.Get().key >> 32);
  Barrier(g, GROUP_SYNC | GROUP_SCOPE);
  Barrier(NODE_OUTPUT_MEMORY, GROUP_SCOPE | GROUP_SYNC);
  g[t].k += g[3 - t].k;
  g.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeShareInputOf("left")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(4, 1, 1)]
void right(DispatchNodeInputRecord<Rec> r, uint t : SV_DispatchThreadID) { dst.Store(t * 4, (uint)r.Get().key); }
[Shader("node")] [NodeLaunch("thread")] [NodeID("sink", 0)]
void sinkNode(ThreadNodeInputRecord<Out> o) { dst.Store3(o.Get().k * 16, asuint(o.Get().q)); }
