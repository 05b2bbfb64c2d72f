// A slot behind the end of the sampler heap.
// dxc -T cs_6_6
Texture2D<float> Image : register(t1);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
  uint slot = 5;
#else
  uint slot = 0;
#endif
  SamplerState state = SamplerDescriptorHeap[slot];
  Out[id.x] = Image.SampleLevel(state, id.xy / 8.0, 0);
}
