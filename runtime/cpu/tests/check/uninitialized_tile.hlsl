// Half of the tile is never written.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  if (i < 32) tile[i] = id;
#else
  tile[i] = id;
#endif
  GroupMemoryBarrierWithGroupSync();
  Out[id] = tile[63 - i];
}
