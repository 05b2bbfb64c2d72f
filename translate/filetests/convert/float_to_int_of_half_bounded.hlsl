// dxc: -T cs_6_0 -E main
// A bound on one side leaves the other one to be clamped, and shows that the number is not NaN. One
// that fits into another type only does not help.
// not:   OpIsNan
// check: NMax
// check: NMin
// check: OpConvertFToS
// check: OpFOrdGreaterThanEqual
// check: NMin
// check: NMax
// check: OpConvertFToU
// check: NMax
// check: OpConvertFToU
// check: OpStore
groupshared int sink[64];
groupshared uint more[64];
groupshared uint last[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = asfloat(id * 77777);
  sink[id] = (int)max(a, -7.5);
  more[id] = (uint)min(a, 1000);
  last[id] = (uint)(saturate(a) - 0.75);
}
