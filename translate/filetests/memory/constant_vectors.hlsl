// dxc: -T cs_6_0 -E main
// A constant array of vectors is one again, and a vector one load. The second one is walked through by a
// loop, and remains an array of floats.
// check: $array = OpTypeArray $v4float $uint_3
// check: OpConstantComposite $v4float
// check: $rows = OpConstantComposite $array
// check: OpVariable $p Private $rows
// check: $taps = OpTypeArray $float $uint_8
// check: $initial = OpConstantComposite $taps
// check: OpVariable $q Private $initial
// check: $at = OpAccessChain $r $rows_variable $i
// check: OpLoad $v4float $at
static const float4 rows[3] = { float4(1, 2, 3, 4), float4(5, 6, 7, 8), float4(9, 10, 11, 12) };
static const float2 taps[4] = { float2(1, 2), float2(3, 5), float2(7, 11), float2(13, 17) };
RWStructuredBuffer<float4> Out : register(u0);
[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 row = rows[id];
  [loop] for (uint k = 0; k < id; ++k) row.xy += taps[k];
  Out[id] = row;
}
