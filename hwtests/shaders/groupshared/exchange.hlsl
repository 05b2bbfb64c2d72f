// dxc: -T cs_6_0 -E main
// Exchange hands every value on exactly once.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint slot;

[numthreads(64, 1, 1)]
void main(uint gi : SV_GroupIndex) {
  if (gi == 0) slot = 64;
  GroupMemoryBarrierWithGroupSync();
  uint old;
  InterlockedExchange(slot, gi, old);
  Out[old] = 1;
  GroupMemoryBarrierWithGroupSync();
  if (gi == 0) {
    Out[slot] = 1;
  }
}
