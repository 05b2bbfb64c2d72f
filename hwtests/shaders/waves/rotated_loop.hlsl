// dxc: -T cs_6_0 -E main
// Threads that skip a loop meet the others behind it, and those that stay count themselves in each round.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint n = In[id], here = 0;
  [loop] for (uint i = 0; i < n; ++i)
    here = here * 8 + WaveActiveCountBits(true);
  Out[id * 2] = here;
  Out[id * 2 + 1] = WaveActiveSum(n) * 256 + WaveActiveCountBits(true);
}
