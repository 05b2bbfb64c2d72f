// dxc: -T ps_6_0 -E main
// check: OpCapability SampleRateShading
// check: OpDecorate $weights BuiltIn BaryCoordKHR
// check: OpDecorate $sample BuiltIn SampleId
// check: $number = OpLoad $uint $sample
// check: = OpExtInst $vec3 $glsl InterpolateAtSample $weights $number
RWByteAddressBuffer Ags : register(u0, space2147420894);

float2 main() : SV_Target {
  uint i, j;
  Ags.InterlockedCompareExchange(0x5000060d, 0, 0, i);
  Ags.InterlockedCompareExchange(0x5100060d, i, 0, j);
  return float2(asfloat(i), asfloat(j));
}
