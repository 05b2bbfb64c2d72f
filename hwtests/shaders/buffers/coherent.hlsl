// dxc: -T cs_6_0 -E main
// A globally coherent buffer: the last group to finish adds up what all groups wrote.
globallycoherent RWStructuredBuffer<uint> Partial : register(u0);
globallycoherent RWByteAddressBuffer State : register(u1);

groupshared uint ticket;

[numthreads(32, 1, 1)]
void main(uint gid : SV_GroupID, uint gi : SV_GroupIndex) {
  if (gi == 0) {
    Partial[gid] = (gid + 1) * (gid + 1);
    DeviceMemoryBarrier();
    State.InterlockedAdd(0, 1, ticket);
  }
  GroupMemoryBarrierWithGroupSync();
  if (ticket == 7 && gi == 0) {
    uint sum = 0;
    for (uint i = 0; i < 8; ++i) sum += Partial[i];
    State.Store(4, sum);
  }
}
