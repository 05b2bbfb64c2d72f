// dxc: -T cs_6_6 -E main
groupshared uint sink[64];
[WaveSize(32)]
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = WaveGetLaneCount();
}
