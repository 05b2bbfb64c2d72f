// dxc: -T ps_6_0 -E main
// check: SampleRateShading
// check: InterpolateAtCentroid
// check: InterpolateAtSample
// check: InterpolateAtOffset
struct Out { float4 a : SV_Target0; uint mask : SV_Coverage; };
Out main(float2 uv : UV, sample float2 s : S, uint index : SV_SampleIndex, uint mask : SV_Coverage, uint prim : SV_PrimitiveID) {
  Out o;
  o.a = float4(EvaluateAttributeCentroid(uv), EvaluateAttributeAtSample(uv, index)) + float4(EvaluateAttributeSnapped(uv, int2(3, -4)), s);
  o.a.x += prim;
  o.mask = mask & 3;
  return o;
}
