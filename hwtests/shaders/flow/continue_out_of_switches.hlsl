// dxc: -T cs_6_0 -E main
// A continue out of two switches whose cases are also left early, with a store between their ends.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint h = In[id];
  uint n = 0;
  [loop] for (uint i = 0; i < 6; ++i) {
    h = h * 1664525u + 1013904223u;
    [branch] switch (h >> 8 & 3) {
      case 1:
        n += 1;
        [branch] if ((h >> 12 & 3) == 1) break;
        n = n * 3 + In[n & 63];
        [branch] switch (h >> 16 & 7) {
          case 2:
          case 7:
            n = n * 3 + 5;
            [branch] if ((h >> 20 & 3) == 1) break;
            n = n * 5 + In[n & 63];
            [branch] if ((h >> 24 & 1) == 1) continue;
            n = n * 7 + In[n & 31];
            break;
          case 3: n = n * n + In[n & 15]; break;
          case 4: n = (n ^ 0x5555) * 9 + In[n & 7]; break;
          case 5: n += In[n & 3]; break;
          case 6: break;
        }
        n = n * 13 + 7;
        Out[id + 64] += 1;
        break;
      case 2: n = n * n + In[n & 15]; break;
      case 3: n = (n ^ 0x5555) * 9 + In[n & 7]; break;
      default: n = n * 17 + 9; break;
    }
    n = n ^ (n << 3) ^ i;
  }
  Out[id] = n;
}
