// dxc: -T cs_6_0 -E main
// Branches that do nothing, loops that run once, conditions that are always true at run time.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id];
  [branch] if (a > 100) { }
  [loop] do {
    [branch] if (id >= 64) break;
    a += 1;
  } while (a == 0xffffffff);
  [branch] switch (a & 1) {
    case 0:
    default:
      break;
  }
  [loop] for (uint i = 0; i < 0 * a + 1; ++i) {
    if (id < 1000) Out[id] = a;
    else return;
  }
}
