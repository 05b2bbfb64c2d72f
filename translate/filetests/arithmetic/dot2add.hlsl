// dxc: -T cs_6_4 -E main -enable-16bit-types
// dot2add multiplies and adds 32-bit numbers: halves have too small a range for the sum.
// check: OpFConvert $float
// check: $x = OpFMul $float
// check: $y = OpFMul $float
// The dot product is complete before it is accumulated.
// check: $dot = OpFAdd $float $x $y
// check: OpFAdd $float $acc $dot
RWStructuredBuffer<float> result : register(u0);
StructuredBuffer<half2> source : register(t0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  result[id] = dot2add(source[id], source[id + 64], result[id + 64]);
}
