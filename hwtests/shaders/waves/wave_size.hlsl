// dxc: -T cs_6_6 -E main
// A shader that demands a wave size.
RWStructuredBuffer<uint2> Out : register(u0);

[WaveSize(8)]
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = uint2(WaveGetLaneCount(), WaveActiveSum(1u));
}
