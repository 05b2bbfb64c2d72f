// dxc-newer: -T cs_6_9 -E main
// native bool vectors: logical and/or/not, any/all, select, storage of bools as uint
// Reductions are chains.
// check: OpLogicalOr
// check: OpLogicalAnd
StructuredBuffer<vector<uint, 10> > src : register(t0);
RWStructuredBuffer<vector<uint, 10> > dst : register(u0);
groupshared vector<bool, 10> flags[32];

[numthreads(32, 1, 1)]
void main(uint t : SV_GroupIndex, uint id : SV_DispatchThreadID) {
  vector<uint, 10> v = src[id];
  vector<bool, 10> odd = (v & 1) != 0;
  vector<bool, 10> big = v > 100;
  flags[t] = or(odd, !big);
  GroupMemoryBarrierWithGroupSync();
  vector<bool, 10> f = and(flags[31 - t], big);
  vector<uint, 10> r = (vector<uint, 10>)f + select(odd, v, (vector<uint, 10>)id);
  if (any(f) && !all(odd)) r ^= 0x55u;
  dst[id] = r;
}
