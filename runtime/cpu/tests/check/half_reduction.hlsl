// A reduction whose last steps leave their barriers out.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint sums[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  sums[i] = i * i + 1;
  GroupMemoryBarrierWithGroupSync();
  [loop] for (uint step = 32; step > 0; step >>= 1) {
    if (i < step) sums[i] += sums[i + step];
#ifdef DEFECT
    if (step > 8) GroupMemoryBarrierWithGroupSync();
#else
    GroupMemoryBarrierWithGroupSync();
#endif
  }
  if (i == 0) Out[group.x] = sums[0];
}
