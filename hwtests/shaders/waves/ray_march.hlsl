// dxc: -T cs_6_0 -E main
// Lanes compact their work: each round the wave hands out slots to the lanes that still want one.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint wanted = In[id] & 3;
  uint base = id / WaveGetLaneCount() * WaveGetLaneCount() * 4;
  [loop] while (WaveActiveAnyTrue(wanted > 0)) {
    [branch] if (wanted > 0) {
      uint slot = base + WavePrefixCountBits(true);
      Out[slot] = id;
      wanted--;
    }
    base += WaveActiveCountBits(wanted > 0 || true);
  }
}
