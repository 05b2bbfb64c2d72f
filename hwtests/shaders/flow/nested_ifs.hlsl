// dxc: -T cs_6_0 -E main
// Ifs three deep, with and without else.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id], r = 1;
  [branch] if (a & 1) {
    r = r * 3 + Out[id + 64];
    [branch] if (a & 2) {
      r ^= Out[id + 128];
      [branch] if (a & 4) {
        Out[id + 64] = r;
        r += 100;
      }
    } else {
      Out[id + 128] = r;
      [branch] if (a & 8)
        r = r * 5 + Out[(id ^ 1) + 192];
      else
        r -= 1;
    }
    r += 7;
  } else {
    [branch] if (a & 16)
      r = Out[id + 192];
  }
  Out[id] = r + a;
}
