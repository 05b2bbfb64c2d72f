// dxc: -T cs_6_0 -E main
// A barrier for UAVs, and one for group-shared memory alone.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint Shared[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Out[i] = i;
  DeviceMemoryBarrierWithGroupSync();
  Shared[i] = Out[i ^ 1];
  GroupMemoryBarrierWithGroupSync();
  Out[i + 64] = Shared[63 - i];
}
