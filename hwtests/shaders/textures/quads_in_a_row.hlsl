// dxc: -T cs_6_6 -E main
// A group in one row: its quads are four threads in a row, of which the second two are the lower ones.
Texture2D<float> Levels : register(t0);
StructuredBuffer<float> Random : register(t1);
SamplerState Smooth : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint at : SV_DispatchThreadID) {
  float v = Random[at];
  // Across x: 2 texels of 64; across y: 4.
  Out[at] = float4(ddx_fine(v), ddy_fine(v), ddx_coarse(v) + 8 * ddy_coarse(v), Levels.Sample(Smooth, float2(at / 32.0, 0.5)));
}
