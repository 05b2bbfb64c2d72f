// dxc: -T cs_6_6 -E main
// check: DerivativeGroupQuadsKHR
// check: OpDPdxCoarse
// check: OpDPdyFine
groupshared float sink[64];
[numthreads(8, 8, 1)]
void main(uint id : SV_GroupIndex) {
  float v = id * 0.5;
  sink[id] = ddx(v * v) + ddy_fine(v * v * v);
}
