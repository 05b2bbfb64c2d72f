// Threads read what their neighbours write to groupshared memory.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  tile[i] = id * 3;
#ifndef DEFECT
  GroupMemoryBarrierWithGroupSync();
#endif
  Out[id] = tile[63 - i];
}
