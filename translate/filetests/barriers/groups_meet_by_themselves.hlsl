// dxc: -T cs_6_0 -E main
// A barrier for the whole group needs no mode: without waves no lane depends on how they reconverge.
// not:   MaximallyReconvergesKHR
// check: OpSelectionMerge
// check: OpControlBarrier
groupshared uint Shared[64];
RWStructuredBuffer<uint> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint v = Data[id];
  Shared[id] = v;
  [branch] if (v & 1) Data[id + 64] = v;
  GroupMemoryBarrierWithGroupSync();
  Data[id] = Shared[id ^ 1];
}
