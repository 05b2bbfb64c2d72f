// dxc: -T cs_6_0 -E main
// flatten, branch, unroll and loop hints on the same computation.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id], r = 0;
  [flatten] if (a > 20) r = a * 2;
  else r = a + 1;
  [branch] if (r & 2) r += In[r & 63];
  [unroll] for (uint i = 0; i < 4; ++i)
    r = r * 3 + In[(id + i) & 63];
  [loop] for (uint j = 0; j < (a & 3); ++j)
    r ^= r >> 3;
  [flatten] switch (a & 1) {
    case 0: r += 5; break;
    case 1: r += 9; break;
  }
  Out[id] = r;
}
