// dxc: -T cs_6_0 -E main
// Indices beyond the end of a groupshared array: loads give 0, stores and atomics are dropped.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

groupshared uint before[4];
groupshared uint tile[4];
groupshared uint behind[4];

[numthreads(1, 1, 1)]
void main() {
  uint i;
  for (i = 0; i < 4; i++) {
    before[i] = 100 + i;
    tile[i] = 200 + i;
    behind[i] = 300 + i;
  }
  for (i = 0; i < 8; i++) Out[i] = tile[In[i]];
  for (i = 0; i < 8; i++) tile[In[i]] = 1000 + i;
  for (i = 0; i < 8; i++) {
    uint old;
    InterlockedAdd(tile[In[i]], 10, old);
    Out[8 + i] = old;
  }
  for (i = 0; i < 8; i++) {
    uint old;
    InterlockedCompareExchange(tile[In[i]], 1010, 5, old);
    Out[16 + i] = old;
  }
  for (i = 0; i < 4; i++) {
    Out[24 + i] = before[i];
    Out[28 + i] = tile[i];
    Out[32 + i] = behind[i];
  }
}
