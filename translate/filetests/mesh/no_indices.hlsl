// dxc: -T ms_6_5 -E main
//! targets = vulkan1.3
// Without `out indices` there are no primitives to emit.
// check: $word = OpTypeInt 32 0
// check: $vertices = OpConstant $word 3
// check: $none = OpConstant $word 0
// check: OpSetMeshOutputsEXT $vertices $none
struct V { float4 pos : SV_Position; };
[numthreads(3, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, out vertices V v[3]) {
  SetMeshOutputCounts(3, 1);
  v[t].pos = t;
}
