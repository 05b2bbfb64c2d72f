// dxc: -T cs_6_0 -E main
// Numbers of known bounds fit into integers, and are not NaN.
// not:   NMin
// not:   NMax
// not:   FOrdGreaterThanEqual
// not:   OpIsNan
// not:   OpSelect
// check: OpConvertFToU
// check: OpConvertFToU
// check: OpConvertFToS
// check: OpConvertFToU
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = asfloat(id * 77777);
  uint sum = (uint)(saturate(a) * 255 + 0.5);
  sum += (uint)floor(saturate(a) * 65535);
  sum += (int)(round(saturate(a) * 65534 - 32767));
  sum += (uint)((float)(id >> 4) / 3 * saturate(a));
  sink[id] = sum;
}
