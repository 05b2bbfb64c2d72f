// Threads behind the end of the work leave before the barrier.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  if (id >= 200) return;
  tile[i] = id;
  GroupMemoryBarrierWithGroupSync();
  Out[id] = tile[i];
#else
  if (id < 200) tile[i] = id;
  GroupMemoryBarrierWithGroupSync();
  if (id < 200) Out[id] = tile[i];
#endif
}
