// Nobody sets the counter to zero.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint count;

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
#ifndef DEFECT
  if (i == 0) count = 0;
  GroupMemoryBarrierWithGroupSync();
#endif
  InterlockedAdd(count, i);
  GroupMemoryBarrierWithGroupSync();
  if (i == 0) Out[group.x] = count;
}
