// dxc: -T cs_6_0 -E main
// Work on the way out of a loop belongs to the lanes that leave together in that round.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id] & 7, result = 0, rounds = 0;
  [loop] while (true) {
    uint first = WaveReadLaneFirst(v);
    rounds++;
    [branch] if (v == first) {
      result = WaveActiveCountBits(true) * 100 + WaveActiveSum(v);
      break;
    }
  }
  Out[id] = uint2(result, rounds);
}
