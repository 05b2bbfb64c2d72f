// A tile is written again while others may still read it.
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> In : register(t0);
groupshared uint tile[32];

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  uint sum = 0;
  [loop] for (uint round = 0; round < In[0]; ++round) {
    tile[i] = id + round;
    GroupMemoryBarrierWithGroupSync();
    sum += tile[(i + 1) % 32];
#ifndef DEFECT
    GroupMemoryBarrierWithGroupSync();
#endif
  }
  Out[id] = sum;
}
