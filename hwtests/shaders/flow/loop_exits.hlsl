// dxc: -T cs_6_0 -E main
// A loop with four ways out, each with work of its own that meets behind the loop.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id], r = a, i = 0;
  [loop] for (;;) {
    if (i >= 20) {
      r += 1;
      break;
    }
    uint v = In[(a + i) & 63];
    if (v == 3) {
      r = r * 7 + In[i];
      break;
    }
    r += v;
    if ((r & 31) == 9) {
      Out[64 + id] = r;
      r ^= 0xff;
      break;
    }
    i++;
    if (v > 45) {
      r = In[r & 63] + 1000;
      break;
    }
  }
  Out[id] = r * 32 + i;
}
