// dxc: -T cs_6_0 -E main
// check: NoContraction
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  precise float a = asfloat(id);
  precise float v = a * a + 3;
  sink[id] = mad(v, a, v);
}
