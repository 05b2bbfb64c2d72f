// dxc: -T cs_6_0 -E main
// Conversions clamp, and NaN gives zero.
// check: NClamp
// check: OpConvertFToU
// check: OpSelect
// check: OpConvertFToS
// check: OpIsNan
groupshared uint sink[64];
groupshared int more[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = asfloat(id * 77777);
  sink[id] = (uint)a;
  more[id] = (int)a;
}
