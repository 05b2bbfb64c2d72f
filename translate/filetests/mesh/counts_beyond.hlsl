// dxc: -T ms_6_5 -E main
//! targets = vulkan1.3
// Counts beyond the declaration are undefined in D3D12; nothing is emitted.
// check: $word = OpTypeInt 32 0
// check: $none = OpConstant $word 0
// check: OpSetMeshOutputsEXT $none $none
struct V { float4 pos : SV_Position; };
[numthreads(3, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, out vertices V v[3], out indices uint3 i[1]) {
  SetMeshOutputCounts(7, 1);
  v[t].pos = t;
  i[0] = uint3(0, 1, 2);
}
