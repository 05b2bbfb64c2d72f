// dxc: -T cs_6_0 -E main
// A tree reduction: a barrier in a loop.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
groupshared float partial[128];

[numthreads(128, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex, uint gid : SV_GroupID) {
  partial[gi] = In[id];
  GroupMemoryBarrierWithGroupSync();
  [loop] for (uint step = 64; step > 0; step >>= 1) {
    if (gi < step) partial[gi] += partial[gi + step];
    GroupMemoryBarrierWithGroupSync();
  }
  if (gi == 0) Out[gid] = partial[0];
}
