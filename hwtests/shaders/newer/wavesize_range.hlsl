// dxc-newer: -T cs_6_8 -E main
// WaveSize(min, max, preferred) with a wave-level reduction and scan
StructuredBuffer<float> src : register(t0);
RWStructuredBuffer<float> sums : register(u0);
RWStructuredBuffer<uint> info : register(u1);

[WaveSize(4, 64, 32)]
[numthreads(128, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex, uint g : SV_GroupID) {
  float v = src[id];
  float total = WaveActiveSum(v);
  float before = WavePrefixSum(v);
  uint lanes = WaveGetLaneCount();
  if (WaveIsFirstLane()) {
    sums[g * 32 + gi / lanes] = total;
    info[g * 32 + gi / lanes] = lanes;
  }
  sums[4096 + id] = before;
}
