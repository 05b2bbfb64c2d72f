// All threads count together.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint count;

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  if (i == 0) count = 0;
  GroupMemoryBarrierWithGroupSync();
#ifdef DEFECT
  count += 1;
#else
  InterlockedAdd(count, 1);
#endif
  GroupMemoryBarrierWithGroupSync();
  if (i == 0) Out[group.x] = count;
}
