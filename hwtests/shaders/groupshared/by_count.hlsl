// dxc: -T cs_6_0 -E main
// Lists of a group whose lengths only groupshared memory knows, gone through in tiles with barriers: all threads go
// round as often, which a compiler cannot prove.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Sums : register(u0);
groupshared uint count;
groupshared uint listed[64];
groupshared uint tile[16];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread == 0) count = 0;
  GroupMemoryBarrierWithGroupSync();
  uint value = In[id.x], place;
  if (value > 40) {
    InterlockedAdd(count, 1, place);
    listed[place] = value;
  }
  GroupMemoryBarrierWithGroupSync();
  uint sum = 0;
  [loop] for (uint first = 0; first < count; first += 16) {
    if (thread < 16) tile[thread] = first + thread < count ? listed[first + thread] : 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < 16; ++i) sum += tile[i];
    if (sum > 1500) break;
    GroupMemoryBarrierWithGroupSync();
  }
  Sums[id.x] = sum > 1500 ? 1 : sum;
}
