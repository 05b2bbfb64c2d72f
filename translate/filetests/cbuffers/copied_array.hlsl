// dxc: -T ps_6_0 -E main
// The array is read where it was copied from; only the colour is stored.
// count: 1 OpStore
// check: $row = OpUMod $uint $number $six
// check: OpAccessChain $pointer $buffer $zero $row
cbuffer C : register(b0) { float4 rows[6]; };
float4 main(nointerpolation uint number : N) : SV_Target {
  float4 copy[6];
  [unroll] for (uint i = 0; i < 6; i++) copy[i] = rows[i];
  return copy[number % 6];
}
