// dxc-newer: -T cs_6_8 -E main
// single WaveSize(16): bitonic sort inside one wave
RWStructuredBuffer<uint> data : register(u0);

[WaveSize(16)]
[numthreads(16, 4, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint at = g.x * 64 + gi;
  uint lane = WaveGetLaneIndex();
  uint v = data[at];
  for (uint k = 2; k <= 16; k <<= 1) {
    for (uint j = k >> 1; j > 0; j >>= 1) {
      uint o = WaveReadLaneAt(v, lane ^ j);
      bool up = (lane & k) == 0;
      bool low = (lane & j) == 0;
      v = (up == low) ? min(v, o) : max(v, o);
    }
  }
  data[at] = v;
}
