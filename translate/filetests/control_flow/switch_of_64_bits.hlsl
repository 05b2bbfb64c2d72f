// dxc: -T cs_6_0 -E main
// check: OpTypeInt 64 0
// check: OpSwitch
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint64_t key = ((uint64_t)g.x << 32) | g.y;
  uint v = id;
  switch (key) {
    case 0x100000000ull: v += g.y; break;
    case 0x300000001ull: v *= g.z; break;
    case 5: v ^= g.y; break;
    default: v = 1;
  }
  sink[id] = v;
}
