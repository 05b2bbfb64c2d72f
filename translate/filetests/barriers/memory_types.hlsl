// dxc-newer: -T cs_6_8 -E main
// Barrier by memory type and semantic flags (UAV, group shared, all; group sync, device and group scope)
// check: OpControlBarrier
globallycoherent RWByteAddressBuffer counters : register(u0);
RWStructuredBuffer<uint> dst : register(u1);
groupshared uint tile[256];
groupshared uint last;

[numthreads(256, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex, uint g : SV_GroupID) {
  tile[gi] = id * 2654435761u;
  Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  for (uint s = 128; s > 0; s >>= 1) {
    if (gi < s) tile[gi] ^= tile[gi + s];
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC);
  }
  if (gi == 0) {
    dst[g] = tile[0];
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    counters.InterlockedAdd(0, 1, last);
  }
  Barrier(ALL_MEMORY, GROUP_SYNC | DEVICE_SCOPE);
  if (last == 15 && gi < 16) counters.Store(4 + gi * 4, dst[gi]);
}
