// dxc: -T cs_6_5 -E main
// A loop of one block that holds a loop.
//! without = SUBGROUP_PARTITIONED
// count: 2 OpLoopMerge
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = 0;
  [loop] for (uint i = 0; i < g.x; ++i) v += WaveMatch((id + i) & 3).x;
  sink[id] = v;
}
