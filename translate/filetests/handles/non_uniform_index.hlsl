// dxc: -T cs_6_0 -E main
// check: OpCapability RuntimeDescriptorArray
// check: OpCapability ShaderNonUniform
// check: OpCapability SampledImageArrayNonUniformIndexing
// check: NonUniform
Texture2D<float4> t[] : register(t5, space2);
SamplerState s[8] : register(s0);
RWBuffer<float4> w[3] : register(u0);
RWStructuredBuffer<float4> o[] : register(u9);
struct K { float4 v; };
ConstantBuffer<K> c[3] : register(b2);
[numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
  uint n = NonUniformResourceIndex(i);
  o[n][0] = t[n].SampleLevel(s[NonUniformResourceIndex(i & 7)], 0, 0) + c[NonUniformResourceIndex(i % 3)].v;
  w[NonUniformResourceIndex(i % 3)][0] = 1;
}
