// dxc: -T cs_6_0 -E main
// Lanes that continue early are back with the others in the next round.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id], a = 0, b = 0;
  [loop] for (uint i = 0; i < 4; ++i) {
    a = a * 17 + WaveActiveCountBits(true);
    [branch] if ((v >> i) & 1) {
      a += Out[id].x;
      continue;
    }
    b = b * 17 + WaveActiveCountBits(true);
  }
  Out[id] = uint2(a, b);
}
