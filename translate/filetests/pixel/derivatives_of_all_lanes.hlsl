// dxc: -T ps_6_0 -E main
// Before, between and after constructs all lanes of a draw run: quads are whole there.
// not:   MaximallyReconvergesKHR
// not:   QuadControlKHR
// not:   QuadDerivativesKHR
// check: OpImageSampleImplicitLod
// check: OpLoopMerge
// check: OpDPdxFine
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
float4 main(float2 uv : UV, nointerpolation uint n : N) : SV_Target {
  float4 color = T.Sample(S, uv);
  [loop] for (uint i = 0; i < n; ++i) color.x = sin(color.x * i);
  return color + ddx_fine(color.x);
}
