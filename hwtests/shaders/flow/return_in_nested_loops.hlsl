// dxc: -T cs_6_0 -E main
// Returns out of two loops, with different work done before each.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint search(uint a, out uint where) {
  where = 99;
  [loop] for (uint i = 0; i < 8; ++i) {
    [loop] for (uint j = 0; j < 8; ++j) {
      uint v = In[i * 8 + j];
      if (v == a) {
        where = i * 8 + j;
        return 1;
      }
      if (v > 60) break;
    }
    if (In[i] == a + 1) {
      where = i;
      return 2;
    }
  }
  return 0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint where;
  uint kind = search(id, where);
  Out[id] = kind * 100 + where;
}
