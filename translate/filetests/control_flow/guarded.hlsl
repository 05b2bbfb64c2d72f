// dxc: -T cs_6_0 -E main
// The guard asks for something else than the loop: both stay.
// count: 1 OpLoopMerge
// count: 1 OpSelectionMerge
cbuffer Parameters : register(b0) { uint rounds; uint other; };
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint a = id, i = 0;
  if (other != 0)
    [loop] do { a = a * 5 + i; ++i; } while (i < rounds);
  sink[id] = a;
}
