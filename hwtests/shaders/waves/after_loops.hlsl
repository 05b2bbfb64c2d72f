// dxc: -T cs_6_0 -E main
// All lanes are back together behind loops with breaks and continues, even inside of another loop.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id], together = 0, inside = 0;
  [loop] for (uint i = 0; i < 3; ++i) {
    uint j = 0;
    [loop] while (j < 8) {
      j++;
      if (((v >> i) + j) & 1) continue;
      if (j > (v & 7)) break;
      inside += WaveActiveCountBits(true);
    }
    together = together * 33 + WaveActiveCountBits(true);
  }
  Out[id] = uint2(together, inside);
}
