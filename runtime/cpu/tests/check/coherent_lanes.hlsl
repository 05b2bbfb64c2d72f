// Coherence does not order the threads of a group.
globallycoherent RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  uint at = group.x * 64;
  Out[at + i] = i;
#ifdef DEFECT
  DeviceMemoryBarrier();
#else
  DeviceMemoryBarrierWithGroupSync();
#endif
  Out[at + 32 + i] = Out[at + 31 - i];
}
