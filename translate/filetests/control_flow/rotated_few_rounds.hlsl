// dxc: -T cs_6_0 -E main
// At most two rounds, but a driver cannot tell how many: the loop keeps its guard and its test at the
// end, with which it unrolls to two copies instead of three.
// count: 1 OpLoopMerge
// count: 1 OpSelectionMerge
StructuredBuffer<uint> t : register(t0);
groupshared uint cells[100];
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  for (uint i = id; i < 100; i += 64) cells[i] = t[i];
  GroupMemoryBarrierWithGroupSync();
  sink[id] = cells[id + 36];
}
