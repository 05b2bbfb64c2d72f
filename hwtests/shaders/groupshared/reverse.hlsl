// dxc: -T cs_6_0 -E main
// A group turns its elements around through groupshared memory.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  tile[gi] = In[id];
  GroupMemoryBarrierWithGroupSync();
  Out[id] = tile[63 - gi];
}
