// dxc: -T cs_6_0 -E main
// check: OpGroupNonUniformQuadSwap
groupshared uint sink[64];
[numthreads(8, 8, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  sink[id] = QuadReadAcrossX(id) + QuadReadAcrossY(id) + QuadReadAcrossDiagonal(id) + QuadReadLaneAt(id, 2) + QuadReadLaneAt(id, g.x);
}
