// dxc: -T cs_6_5 -E main
// check: OpGroupNonUniformPartitionEXT
// not: OpLoopMerge
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = WaveMatch(id & 3).x;
}
