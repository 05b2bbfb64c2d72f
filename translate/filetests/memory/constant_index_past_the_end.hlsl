// dxc: -T cs_6_0 -E main
// A constant index beyond the array, in code that no real wave size reaches: the store is dropped
// and the load gives 0.
// check: $zero = OpConstant $uint 0
// check: $one = OpConstant $uint 1
// check: $inside = OpIEqual $bool $one $zero
// check: OpBranchConditional $inside
groupshared float cells[8];
RWStructuredBuffer<float> result : register(u0);
[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex) {
  [unroll]
  for (uint i = 0; i < 10; i++) {
    if (i >= 64 / WaveGetLaneCount()) break;
    cells[i] = i + 0.5;
  }
  GroupMemoryBarrierWithGroupSync();
  result[id] = cells[id];
}
