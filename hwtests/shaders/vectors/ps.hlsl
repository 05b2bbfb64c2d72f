// dxc-newer: -T ps_6_9 -E main
// pixel shader with native vectors: weighted kernel, derivatives, typed loads feeding long vectors
Texture2D<float4> tex : register(t0);
StructuredBuffer<vector<float, 9> > kernels : register(t1);
SamplerState samp : register(s0);

float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0, nointerpolation uint k : KERNEL) : SV_Target {
  vector<float, 9> w = kernels[k];
  vector<float, 9> lum;
  [unroll] for (int i = 0; i < 9; ++i)
    lum[i] = dot(tex.SampleLevel(samp, uv, 0, int2(i % 3 - 1, i / 3 - 1)).rgb, float3(0.2126f, 0.7152f, 0.0722f));
  vector<float, 9> p = lum * w;
  float s = dot(p, (vector<float, 9>)1);
  vector<float, 9> d = ddx(lum) * ddy(lum) + fwidth(w);
  return float4(s, dot(d, w), p[4], QuadAny(s > 1) ? 1 : 0.5f);
}
