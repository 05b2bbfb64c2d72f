// dxc: -T cs_6_0 -E main
// A lane whose number differs by a constant is a neighbour: in a quad, or by the bits of the mask.
// check: OpGroupNonUniformQuadSwap
// check: OpGroupNonUniformQuadSwap
// check: OpGroupNonUniformShuffleXor
// check: OpGroupNonUniformShuffle $u
// count: 1 OpGroupNonUniformShuffle
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint lane = WaveGetLaneIndex();
  uint4 v;
  v.x = WaveReadLaneAt(id * 3, lane ^ 1);
  v.y = WaveReadLaneAt(id * 5, lane ^ 3);
  v.z = WaveReadLaneAt(id * 7, lane ^ 4);
  v.w = WaveReadLaneAt(id * 9, (lane + 1) & 3);
  Out[id] = v;
}
