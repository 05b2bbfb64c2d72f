// dxc: -T cs_6_0 -E main
// check: OpSwitch
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = id;
  switch (g.x) {
    case 0: v += g.y; break;
    case 3: v *= g.z; // falls through
    case 7: v ^= g.y; break;
    case 9: sink[id] = 3; return;
    default: v = 1;
  }
  sink[id] = v;
}
