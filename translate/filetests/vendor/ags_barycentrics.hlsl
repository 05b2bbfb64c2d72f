// dxc: -T ps_6_0 -E main
// Weights of the second and the third vertex, at the center and at the centroid.
// check: OpCapability InterpolationFunction
// check: OpDecorate $linear BuiltIn BaryCoordNoPerspKHR
// check: OpDecorate $perspective BuiltIn BaryCoordKHR
// check: = OpLoad $vec3 $linear
// check: = OpExtInst $vec3 $glsl InterpolateAtCentroid $perspective
// check: OpStore
RWByteAddressBuffer Ags : register(u0, space2147420894);

float bary(uint mode, uint phase) {
  uint result;
  Ags.InterlockedCompareExchange(0x5000000d | phase << 24 | mode << 8, 0, 0, result);
  return asfloat(result);
}

float4 main() : SV_Target {
  return float4(bary(1, 0), bary(1, 1), bary(5, 0), bary(5, 1));
}
