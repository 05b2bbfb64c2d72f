// dxc: -T ps_6_0 -E main
// What is stored after the copy counts: the array stays.
// count: 29 OpStore
cbuffer C : register(b0) { float4 rows[6]; };
float4 main(nointerpolation uint number : N) : SV_Target {
  float4 copy[6];
  [unroll] for (uint i = 0; i < 6; i++) copy[i] = rows[i];
  copy[number & 3] = number;
  return copy[number % 6];
}
