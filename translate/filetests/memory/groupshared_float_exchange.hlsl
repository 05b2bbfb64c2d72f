// dxc: -T cs_6_0 -E main
// Groupshared floats that are also accessed as integers become integer cells.
// check: OpAtomicExchange
// check: OpBitcast
groupshared float cell[8];
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  cell[id & 7] = 1.5;
  GroupMemoryBarrierWithGroupSync();
  float old;
  InterlockedExchange(cell[id & 7], (float)id, old);
  sink[id] = old + cell[3];
}
