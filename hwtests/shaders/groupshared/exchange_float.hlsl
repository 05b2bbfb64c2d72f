// dxc: -T cs_6_0 -E main
// Exchange of a groupshared float hands every value on exactly once, whatever its bits are.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared float slot;

[numthreads(64, 1, 1)]
void main(uint gi : SV_GroupIndex) {
  if (gi == 0) slot = -1;
  GroupMemoryBarrierWithGroupSync();
  float old;
  InterlockedExchange(slot, In[gi], old);
  Out[gi] = asuint(old);
  GroupMemoryBarrierWithGroupSync();
  if (gi == 0) Out[64] = asuint(slot);
}
