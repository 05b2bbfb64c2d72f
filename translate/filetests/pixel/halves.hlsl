// dxc: -T ps_6_2 -E main -enable-16bit-types
//! options = full_min_precision
//! without = INPUT_OUTPUT_16BIT
// Variables of the interface that hold halves have their precision, without a right to compute
// anything else in 16 bits.
// count: 2 RelaxedPrecision
// check: OpDecorate $a RelaxedPrecision
// check: OpDecorate $b RelaxedPrecision
// check: OpFConvert
half4 main(half2 uv : UV, float2 w : W) : SV_Target {
  return half4(uv.xy, (half2)(w * 2));
}
