// dxc-newer: -T cs_6_8 -E main -force-rootsig-ver rootsig_1_1
// embedded root signature version 1.1: data and descriptor flags, unbounded ranges, static comparison sampler
#define RS "RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | SAMPLER_HEAP_DIRECTLY_INDEXED), CBV(b0, flags=DATA_STATIC), SRV(t0, space=1, flags=DATA_VOLATILE), UAV(u0), DescriptorTable(SRV(t0, numDescriptors=unbounded, offset=0, flags=DESCRIPTORS_VOLATILE), SRV(t0, space=2, numDescriptors=unbounded, offset=0, flags=DESCRIPTORS_VOLATILE)), StaticSampler(s0, space=3, filter=FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT, comparisonFunc=COMPARISON_GREATER_EQUAL, borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, addressU=TEXTURE_ADDRESS_BORDER)"
cbuffer C : register(b0) { uint n; uint slot; float z; };
StructuredBuffer<float4> items : register(t0, space1);
Texture2D<float> maps[] : register(t0);
Texture2D<float4> colors[] : register(t0, space2);
RWStructuredBuffer<float4> dst : register(u0);
SamplerComparisonState cmp : register(s0, space3);

[RootSignature(RS)]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id >= n) return;
  Texture2D<float4> heap = ResourceDescriptorHeap[slot];
  float4 it = items[id];
  float l = maps[NonUniformResourceIndex((uint)it.w)].SampleCmpLevelZero(cmp, it.xy, z);
  dst[id] = colors[NonUniformResourceIndex(id & 15)].Load(int3(it.xy, 0)) * l + heap[uint2(id, 0)];
}
