// dxc: -T cs_6_0 -E main
// Point sampling with explicit level: wrapping, mirroring, clamping and border colours.
Texture2D<float4> T : register(t0);
SamplerState Wrap : register(s0);
SamplerState Mirror : register(s1);
SamplerState Clamp : register(s2);
SamplerState Border : register(s3);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 uv = float2((float(id) - 6 + 0.5) * 0.25, 0.375);
  Out[id * 4 + 0] = T.SampleLevel(Wrap, uv, 0);
  Out[id * 4 + 1] = T.SampleLevel(Mirror, uv, 0);
  Out[id * 4 + 2] = T.SampleLevel(Clamp, uv, 0);
  Out[id * 4 + 3] = T.SampleLevel(Border, uv, 0);
}
