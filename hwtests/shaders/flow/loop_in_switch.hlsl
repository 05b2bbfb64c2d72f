// dxc: -T cs_6_0 -E main
// Loops inside of the cases of a switch.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id], r = 0;
  [branch] switch (a & 3) {
    case 0:
      [loop] for (uint i = 0; i < (a >> 2); ++i) {
        r += In[i];
        if (r > 500) break;
      }
      break;
    case 1: {
      uint x = a;
      [loop] while (x != 1) {
        if (r > 60) break;
        x = (x & 1) ? x * 3 + 1 : x >> 1;
        r++;
      }
      break;
    }
    case 2:
      [loop] do {
        r = r * 2 + 1;
      } while (r < a);
      break;
  }
  Out[id] = r;
}
