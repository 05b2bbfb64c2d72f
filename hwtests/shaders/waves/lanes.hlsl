// dxc: -T cs_6_0 -E main
// Lane index and count; exactly one lane of a wave is the first.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = uint4(WaveGetLaneIndex(), WaveGetLaneCount(), WaveIsFirstLane() ? 1 : 0, WaveActiveCountBits(true));
}
