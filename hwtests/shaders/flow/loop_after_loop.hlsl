// dxc: -T cs_6_0 -E main
// Loops in a row; values of one feed the bounds of the next.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id] & 7, b = 0, c = 0;
  [loop] while (a > 0) {
    b += In[(a + id) & 63] & 3;
    a--;
  }
  [loop] for (uint i = 0; i < b; ++i) {
    if (In[i] & 1) c += i;
  }
  [loop] while (c > 10) c -= 7;
  uint d = 1;
  [loop] for (uint j = 0; j < c; ++j) d = d * 3 + j;
  Out[id] = d + b * 1000000;
}
