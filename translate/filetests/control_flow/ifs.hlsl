// dxc: -T cs_6_0 -E main
// Three branches of the shader, and a check of sink[id + 1], whose index may be 64.
// count: 4 OpSelectionMerge
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = id;
  [branch] if (g.x > 3) { v = sink[id ^ 1]; [branch] if (g.y == v) { sink[3] = v; } } else { sink[id] = 5; }
  GroupMemoryBarrierWithGroupSync();
  [branch] if (v & 1) sink[id + 1] = v;
}
