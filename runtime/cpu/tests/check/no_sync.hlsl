// A barrier without sync makes nobody wait.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  tile[i] = id * 3;
#ifdef DEFECT
  GroupMemoryBarrier();
#else
  GroupMemoryBarrierWithGroupSync();
#endif
  Out[id] = tile[63 - i];
}
