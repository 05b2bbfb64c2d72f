// dxc: -T cs_6_6 -E main
// Textures and samplers straight from the heaps.
RWStructuredBuffer<float> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Texture2D<float> t = ResourceDescriptorHeap[NonUniformResourceIndex(id & 1)];
  SamplerState s = SamplerDescriptorHeap[NonUniformResourceIndex((id >> 1) & 1)];
  RWTexture2D<float> o = ResourceDescriptorHeap[2];
  float v = t.SampleLevel(s, float2(1.25, 0.25), 0);
  o[uint2(id & 3, id >> 2)] = v * 2;
  Out[id] = v;
}
