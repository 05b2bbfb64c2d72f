// dxc: -T ps_6_0 -E main
// Derivatives in control flow: lanes meet again where the source says, and quads stay whole.
// check: OpExecutionMode $main MaximallyReconvergesKHR
// check: OpExecutionMode $main QuadDerivativesKHR
// check: OpDPdxFine
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
float4 main(float2 uv : UV, nointerpolation uint n : N) : SV_Target {
  float4 color = 0;
  [branch] if (n & 1) color = T.Sample(S, uv);
  [loop] for (uint i = 0; i < n; ++i) color.x += ddx_fine(uv.y * i);
  return color;
}
