// dxc: -T cs_6_0 -E main
// check: OpAtomicIAdd
// check: OpAtomicSMin
// check: OpAtomicUMax
// check: OpAtomicAnd
// check: OpAtomicOr
// check: OpAtomicXor
// check: OpAtomicExchange
// check: OpAtomicCompareExchange
groupshared uint cell[8];
groupshared int signed_cell[8];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint o, p;
  InterlockedAdd(cell[id & 7], id, o);
  InterlockedMin(signed_cell[id & 7], (int)id);
  InterlockedMax(cell[0], id);
  InterlockedAnd(cell[1], id);
  InterlockedOr(cell[2], id);
  InterlockedXor(cell[3], id);
  InterlockedExchange(cell[4], id, p);
  InterlockedCompareExchange(cell[5], o, p, o);
  cell[6] = o;
}
