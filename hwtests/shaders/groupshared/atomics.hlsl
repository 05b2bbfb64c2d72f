// dxc: -T cs_6_0 -E main
// Every atomic operation on groupshared memory.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint s[6];
groupshared int t[2];
groupshared uint winners;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  if (gi == 0) {
    s[0] = 0; s[1] = 0xffffffffu; s[2] = 0; s[3] = 0xffffffffu; s[4] = 0; s[5] = 5;
    t[0] = 1000; t[1] = -1000;
    winners = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  uint v = In[id];
  InterlockedMax(s[0], v);
  InterlockedMin(s[1], v);
  InterlockedOr(s[2], 1u << (v & 31));
  InterlockedAnd(s[3], ~(1u << (v & 31)));
  InterlockedXor(s[4], v);
  uint old;
  InterlockedCompareExchange(s[5], 5, 100 + gi, old);
  if (old == 5) InterlockedAdd(winners, 1);
  InterlockedMin(t[0], int(v) - 50);
  InterlockedMax(t[1], int(v) - 50);
  GroupMemoryBarrierWithGroupSync();
  if (gi < 5) Out[gi] = s[gi];
  if (gi == 5) Out[5] = s[5] >= 100 && s[5] < 164 ? 1 : 0;
  if (gi == 6) Out[6] = winners;
  if (gi >= 7 && gi < 9) Out[gi] = uint(t[gi - 7]);
}
