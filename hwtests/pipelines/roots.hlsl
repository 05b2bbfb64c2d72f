// dxc: -T cs_6_0 -E main
// Root constants and root descriptors beside a table.
#define RS "RootConstants(num32BitConstants=3, b4), DescriptorTable(SRV(t0)), UAV(u3, space=5)"
cbuffer Root : register(b4) { float scale; float offset; uint count; };
StructuredBuffer<float> input : register(t0);
RWStructuredBuffer<float> output : register(u3, space5);

[RootSignature(RS)]
[numthreads(4, 1, 1)]
void main(uint id : SV_GroupIndex) {
  if (id < count) output[id] = input[id] * scale + offset;
}
