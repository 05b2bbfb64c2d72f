// dxc: -T cs_6_0 -E main
// DXC rotates the loop: a guard, and the test for the next round at the end. It is a while loop again.
// count: 1 OpLoopMerge
// count: 0 OpSelectionMerge
cbuffer Parameters : register(b0) { uint rounds; };
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint a = id;
  [loop] for (uint i = 0; i < rounds; ++i) a = a * 5 + i;
  sink[id] = a;
}
