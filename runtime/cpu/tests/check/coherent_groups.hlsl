// Groups read what others have written, in a UAV that is not globally coherent.
#ifdef DEFECT
RWStructuredBuffer<uint> Out : register(u0);
#else
globallycoherent RWStructuredBuffer<uint> Out : register(u0);
#endif

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  Out[group.x * 32 + i] = i;
  DeviceMemoryBarrier();
  uint seen = 0;
  if (i == 0) InterlockedAdd(Out[200], 1, seen);
  uint last = WaveReadLaneFirst(seen);
  if (last == 3) Out[128 + i] = Out[i] + Out[32 + i] + Out[64 + i];
}
