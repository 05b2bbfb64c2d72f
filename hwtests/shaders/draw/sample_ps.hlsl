// dxc: -T ps_6_0 -E main
// Runs per sample: sample n of a pixel is 2^n / 16.
float4 main(float4 position : SV_Position, float4 color : COLOR, uint index : SV_SampleIndex) : SV_Target {
  return float(1u << index) / 16;
}
