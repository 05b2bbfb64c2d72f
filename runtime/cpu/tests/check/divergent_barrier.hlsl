// Only some threads come to the barrier.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  tile[i] = id;
#ifdef DEFECT
  if (i % 2 == 0) {
    GroupMemoryBarrierWithGroupSync();
    Out[id] = tile[i];
  }
#else
  GroupMemoryBarrierWithGroupSync();
  if (i % 2 == 0) Out[id] = tile[i];
#endif
}
