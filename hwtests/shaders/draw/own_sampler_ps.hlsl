// dxc: -T ps_6_0 -E main
// What the vertex stage's s0 saw, and what this stage's s0 sees at the same place.
Texture2D<float> T : register(t0);
SamplerState S : register(s0);

float4 main(float4 position : SV_Position, nointerpolation float value : VALUE) : SV_Target {
  return float4(value, T.SampleLevel(S, float2(1.25, 0.5), 0), 0, 1);
}
