// dxc: -T cs_6_0 -E main
// Six ifs inside of each other, with joins that skip levels.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id], r = 0;
  [branch] if (a > 5) {
    r += In[r];
    [branch] if (a > 10) {
      r += In[r & 63];
      [branch] if (a > 15) {
        r += In[r & 63];
        [branch] if (a > 20) {
          r += In[r & 63];
          [branch] if (a > 25) {
            r += In[r & 63];
            [branch] if (a > 30) {
              r = r * 2 + In[r & 63];
            } else {
              r ^= 1;
            }
          }
        } else {
          r ^= 2;
        }
      }
      r += 3;
    } else {
      r ^= In[(r + 4) & 63];
    }
  }
  Out[id] = r;
}
