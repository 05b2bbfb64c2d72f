// dxc: -T cs_6_6 -E main
// Derivatives in a compute shader: implicit level of detail and CalculateLevelOfDetail.
Texture2D<float> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float2 uv = (float2(id) + 0.5) / 4;
  float4 r;
  r.x = ddx(uv.x * 3);
  r.y = ddy_fine(uv.y * 5);
  r.z = T.CalculateLevelOfDetailUnclamped(S, uv);
  r.w = T.Sample(S, float2(0.5, 0.5) + float2(id) / 8);
  Out[id.y * 8 + id.x] = r;
}
