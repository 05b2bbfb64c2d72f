// Threads of a group pass values on through a UAV.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  uint base = group.x * 64;
  Out[base + i] = i * 7;
#ifndef DEFECT
  DeviceMemoryBarrierWithGroupSync();
#endif
  Out[base + 32 + i] = Out[base + 31 - i];
}
