// dxc: -T cs_6_6 -E main
// Every kind of root signature element, to compare the reading of its text with DXC's.
#define ROOT "RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | SAMPLER_HEAP_DIRECTLY_INDEXED | " \
  "DENY_HULL_SHADER_ROOT_ACCESS), " \
  "RootConstants(num32BitConstants=3, b2, space=4, visibility=SHADER_VISIBILITY_PIXEL), " \
  "CBV(b0), CBV(b1, space=2, flags=DATA_STATIC), SRV(t0, visibility=SHADER_VISIBILITY_VERTEX), " \
  "UAV(u0), uav(u7, flags=DATA_STATIC_WHILE_SET_AT_EXECUTE), " \
  "DescriptorTable(CBV(b4, numDescriptors=2), SRV(t3, numDescriptors=8, offset=5, flags=DESCRIPTORS_VOLATILE), " \
  "  UAV(u1, numDescriptors=unbounded, space=9), visibility=SHADER_VISIBILITY_ALL), " \
  "DescriptorTable(Sampler(s4, numDescriptors=3, offset=DESCRIPTOR_RANGE_OFFSET_APPEND)), " \
  "StaticSampler(s0), " \
  "StaticSampler(s1, filter=FILTER_COMPARISON_MIN_LINEAR_MAG_POINT_MIP_LINEAR, addressU=TEXTURE_ADDRESS_MIRROR, " \
  "  addressV=TEXTURE_ADDRESS_MIRROR_ONCE, addressW=TEXTURE_ADDRESS_BORDER, mipLODBias=-1.5f, maxAnisotropy=4, " \
  "  comparisonFunc=COMPARISON_GREATER, borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK, minLOD=0.25, maxLOD=7.5f, " \
  "  space=3, visibility=SHADER_VISIBILITY_GEOMETRY)"
RWByteAddressBuffer Out : register(u0);
[RootSignature(ROOT)]
[numthreads(1, 1, 1)]
void main() { Out.Store(0, 1); }
