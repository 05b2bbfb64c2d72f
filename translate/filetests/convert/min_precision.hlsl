// dxc: -T cs_6_0 -E main
// Min-precision values live in 32 bits, relaxed.
// check: RelaxedPrecision
// not: OpTypeFloat 16
// not: OpTypeInt 16 0
groupshared min16float sink[64];
groupshared min16int more[64];
groupshared min16uint rest[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  min16float a = (min16float)id * (min16float)0.25;
  min16int b = (min16int)g.x;
  min16uint c = (min16uint)g.y;
  sink[id] = sqrt(a) + (min16float)b;
  more[id] = (b >> (min16int)3) - (min16int)id;
  rest[id] = c >> (min16uint)2;
}
