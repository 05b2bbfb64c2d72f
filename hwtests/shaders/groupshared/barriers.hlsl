// dxc: -T cs_6_0 -E main
// All six barrier intrinsics.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint shared_sum;

[numthreads(32, 1, 1)]
void main(uint gi : SV_GroupIndex) {
  if (gi == 0) shared_sum = 0;
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(shared_sum, gi);
  GroupMemoryBarrier();
  AllMemoryBarrierWithGroupSync();
  Out[gi] = shared_sum;
  DeviceMemoryBarrierWithGroupSync();
  uint neighbour = Out[gi ^ 1];
  DeviceMemoryBarrier();
  AllMemoryBarrier();
  GroupMemoryBarrierWithGroupSync();
  Out[gi] = neighbour + gi;
}
