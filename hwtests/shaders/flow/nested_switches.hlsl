// dxc: -T cs_6_0 -E main
// A switch in a switch in a loop; breaks belong to the nearest one, continues to the loop.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint r = id;
  [loop] for (uint i = 0; i < 10; ++i) {
    uint v = In[(id + i * 5) & 63];
    [branch] switch (v & 3) {
      case 0:
        [branch] switch ((v >> 2) & 3) {
          case 0: r += Out[128 + (i & 7)]; break;
          case 1: continue;
          case 2: r ^= v; break;
          default: Out[64 + id] = r; break;
        }
        r += 1;
        break;
      case 1:
        if (r > 5000) return;
        r = r * 3;
        break;
      case 3:
        if (v & 16) break;
        r += 100;
        continue;
    }
    r = (r ^ (r >> 3)) + v;
    Out[id] = r;
  }
}
