// dxc: -T cs_6_6 -E main
// The level of detail and a sample of that level, at two rates.
Texture2D<float> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float2 far = (float2(id) + 0.5) * 0.19, near = (float2(id) + 0.5) * 0.16;
  float4 r;
  r.x = T.CalculateLevelOfDetail(S, far);
  r.y = T.Sample(S, far);
  r.z = T.CalculateLevelOfDetail(S, near);
  r.w = T.Sample(S, near);
  Out[id.y * 8 + id.x] = r;
}
