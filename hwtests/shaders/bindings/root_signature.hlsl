// dxc: -T cs_6_0 -E main
// An embedded root signature: root constants, root descriptors, a table and a static sampler.
#define RS "RootConstants(num32BitConstants=4, b0), CBV(b1), SRV(t0), UAV(u0), " \
           "DescriptorTable(SRV(t1, numDescriptors=2), UAV(u1)), " \
           "StaticSampler(s0, filter=FILTER_MIN_MAG_MIP_POINT, addressU=TEXTURE_ADDRESS_WRAP, addressV=TEXTURE_ADDRESS_WRAP)"
cbuffer Root : register(b0) { uint scale; float offset; uint2 unused; }
cbuffer Constants : register(b1) { uint4 table[4]; }
StructuredBuffer<uint> In : register(t0);
Texture2D<float> T : register(t1);
Buffer<uint> Typed : register(t2);
SamplerState S : register(s0);
RWStructuredBuffer<float> Out : register(u0);
RWBuffer<uint> TypedOut : register(u1);

[RootSignature(RS)]
[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float t = T.SampleLevel(S, float2(1.25 + 0.5 * (id & 1), 0.25), 0);
  Out[id] = In[id] * scale + offset + t + table[id >> 2][id & 3];
  TypedOut[id] = Typed[id] + scale;
}
