// dxc: -T cs_6_0 -E main
// count: 2 OpLoopMerge
// check: OpPhi
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint a = 0, b = 1;
  [loop] for (uint i = 0; i < g.x; ++i) {
    uint t = a; a = b; b += t;
    if (a > 1000) break;
    [loop] while (b & id) { b ^= i; if (b == 5) continue; a += b; }
  }
  sink[id] = a + b;
}
