// dxc: -T cs_6_0 -E main
// Barriers with a group sync, each for the memory that it names: groupshared, UAVs, both. A value goes round the
// group in steps of one thread.
RWStructuredBuffer<uint> Ring : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
groupshared uint shared_ring[64];

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = group.x * 64;
  uint next = (thread + 1) % 64;
  uint value = thread * 7 + group.x;
  for (uint round = 0; round < 5; ++round) {
    shared_ring[thread] = value;
    GroupMemoryBarrierWithGroupSync();
    value = shared_ring[next] + 1;
    Ring[first + thread] = value;
    DeviceMemoryBarrierWithGroupSync();
    value = Ring[first + next] + 10;
    AllMemoryBarrierWithGroupSync();
  }
  Out[first + thread] = value;
}
