// All threads of a group set one flag.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint found;

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
#ifdef DEFECT
  found = 1;
#else
  if (i == 0) found = 1;
#endif
  GroupMemoryBarrierWithGroupSync();
  Out[group.x * 64 + i] = found;
}
