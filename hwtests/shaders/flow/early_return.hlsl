// dxc: -T cs_6_0 -E main
// Returns from the middle of ifs and loops.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id];
  Out[id] = 1;
  if (a < 10) return;
  Out[id] = 2;
  [loop] for (uint i = 0; i < a; ++i) {
    uint v = In[(id + i) & 63];
    if (v == 13) {
      Out[id] = 3000 + i;
      return;
    }
    [branch] if (v == 14) {
      Out[id + 64] = i;
      if (i > 2) return;
    }
  }
  Out[id] = a;
}
