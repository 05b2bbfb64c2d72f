// dxc: -T cs_6_0 -E main
// Atomic additions on groupshared memory, then on a buffer.
StructuredBuffer<uint> In : register(t0);
RWByteAddressBuffer Out : register(u0);
groupshared uint bins[16];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  if (gi < 16) bins[gi] = 0;
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(bins[In[id] & 15], 1);
  GroupMemoryBarrierWithGroupSync();
  if (gi < 16) Out.InterlockedAdd(gi * 4, bins[gi]);
}
