// dxc: -T cs_6_6 -E main
// check: OpCapability Int64Atomics
groupshared uint64_t cell[8];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint64_t o;
  InterlockedAdd(cell[id & 7], (uint64_t)id << 30, o);
  InterlockedMax(cell[1], o);
}
