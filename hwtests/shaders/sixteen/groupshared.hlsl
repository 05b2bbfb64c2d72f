// dxc: -T cs_6_2 -E main -enable-16bit-types
// Half values in groupshared memory and local arrays.
StructuredBuffer<half> In : register(t0);
RWStructuredBuffer<half> Out : register(u0);
groupshared half tile[32];

[numthreads(32, 1, 1)]
void main(uint gi : SV_GroupIndex) {
  tile[gi] = In[gi];
  GroupMemoryBarrierWithGroupSync();
  half local[4];
  for (uint i = 0; i < 4; ++i) local[i] = tile[(gi * 5 + i) & 31];
  Out[gi] = local[gi & 3] + local[(gi >> 2) & 3];
}
