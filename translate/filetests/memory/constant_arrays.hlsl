// dxc: -T cs_6_0 -E main
// check: OpConstantComposite
// check: OpVariable $p Private $init
groupshared float sink[64];
static const float table[6] = {1, 2.5, 3, 5, 8, 13};
static const int2 pairs[3] = {int2(1, -2), int2(3, 4), int2(5, -6)};
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = table[id % 6] + pairs[id % 3].y;
}
