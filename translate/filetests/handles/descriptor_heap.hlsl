// dxc: -T cs_6_6 -E main
//! options = descriptor_heaps
// Resources of all kinds come from the heaps of VK_EXT_descriptor_heap: a built-in pointer, which
// each access sees as an array of the descriptors that it expects.
// check: OpCapability UntypedPointersKHR
// check: OpCapability DescriptorHeapEXT
// check: OpExtension "SPV_KHR_untyped_pointers"
// check: OpExtension "SPV_EXT_descriptor_heap"
// not: NonUniform
// not: RuntimeDescriptorArray
// count: 1 BuiltIn ResourceHeapEXT
// count: 1 BuiltIn SamplerHeapEXT
// count: 1 DescriptorSet
// check: OpDecorate $samplers ArrayStride 32
// check: OpUntypedAccessChainKHR
struct K { float4 v; };
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  Texture2D<float4> t = ResourceDescriptorHeap[i];
  SamplerState s = SamplerDescriptorHeap[i + 1];
  RWByteAddressBuffer r = ResourceDescriptorHeap[NonUniformResourceIndex(i + 2)];
  ConstantBuffer<K> c = ResourceDescriptorHeap[3];
  StructuredBuffer<float4> b = ResourceDescriptorHeap[i + 4];
  Buffer<float4> texels = ResourceDescriptorHeap[5];
  RWTexture2D<float4> image = ResourceDescriptorHeap[6];
  uint elements, stride;
  b.GetDimensions(elements, stride);
  o[i] = t.SampleLevel(s, 0, 0) + c.v + b[i] + texels[i] + elements;
  image[uint2(i, 0)] = 1;
  r.Store(4, 1);
}
