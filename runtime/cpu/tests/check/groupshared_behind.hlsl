// A thread writes behind the end of groupshared memory.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  tile[i + 1] = id;
#else
  tile[(i + 1) % 64] = id;
#endif
  GroupMemoryBarrierWithGroupSync();
  if (i > 0) Out[id] = tile[i];
}
