// dxc: -T cs_6_0 -E main
// A texture with mips, a sampler, a texture to write.
Texture2D<float4> image : register(t0);
SamplerState nearest : register(s0);
RWTexture2D<float4> canvas : register(u0);

[numthreads(2, 2, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float level = id.y;
  float2 at = id.x ? float2(0.75, 0.25) : float2(0.25, 0.75);
  canvas[id] = image.SampleLevel(nearest, at, level);
}
