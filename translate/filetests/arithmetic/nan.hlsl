// dxc: -T cs_6_0 -E main
// Minimum, maximum and saturate drop NaN.
// check: OpExtInst $f $glsl NMax
// check: OpExtInst $f $glsl NMin
// check: OpExtInst $f $glsl NClamp
// check: OpIsNan
// check: OpIsInf
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = asfloat(id), b = asfloat(id << 8);
  float v = max(a, b) + min(a, b * 3) + saturate(a);
  if (isnan(v)) v = 1;
  if (isinf(v)) v = 2;
  if (isfinite(v)) v *= 3;
  sink[id] = v;
}
