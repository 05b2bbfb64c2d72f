// dxc-spirv: -T cs_6_0 -E main
// A texture and a sampler on one binding, which Vulkan reads as a combined image sampler.
[[vk::binding(0, 0)]] Texture2D<float4> picture;
[[vk::binding(0, 0)]] SamplerState linear_sampler;
[[vk::binding(1, 0)]] RWStructuredBuffer<float4> result;

[numthreads(1, 1, 1)]
void main() { result[0] = picture.SampleLevel(linear_sampler, 0.5, 0); }
