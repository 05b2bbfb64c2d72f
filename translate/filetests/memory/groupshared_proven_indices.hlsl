// dxc: -T cs_6_0 -E main
// Indices that masks, remainders, thread ids, conditions and loops keep inside need no check: a
// check would clamp the index.
// check: OpAccessChain
// not: UMin
groupshared float tile[256];
groupshared float rows[16][16];
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(16, 16, 1)]
void main(uint index : SV_GroupIndex, uint3 id : SV_GroupThreadID, uint3 all : SV_DispatchThreadID) {
  uint any = In[all.x];
  tile[index] = any;
  rows[id.y][id.x] = any;
  GroupMemoryBarrierWithGroupSync();
  float sum = tile[any & 255] + tile[any % 256] + tile[any >> 24] + tile[255 - index];
  sum += rows[id.x][15 - id.y] + tile[id.x * 16 + id.y] + tile[index ^ 1];
  if (any < 256) sum += tile[any];
  if (index >= 4) sum += tile[index - 4];
  if (index > 0 && index < 255) sum += tile[index + 1];
  sum += tile[any < 200 ? any + 56 : 0];
  GroupMemoryBarrierWithGroupSync();
  for (uint stride = 128; stride > 0; stride >>= 1) {
    if (index < stride) tile[index] += tile[index + stride];
    GroupMemoryBarrierWithGroupSync();
  }
  [loop] for (uint i = 0; i < 256; i++) sum += tile[i] * sum;
  [loop] for (int k = 0; k < 240; k += 16) sum += tile[k + id.x] * sum;
  [loop] for (uint row = id.y; row < 16; row += 4) sum += rows[row][id.x] * sum;
  Out[all.x] = sum;
}
