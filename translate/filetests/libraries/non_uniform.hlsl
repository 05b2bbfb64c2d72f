// dxc: -T lib_6_3
// Before shader model 6.6 the address of an array's element says that its index may differ between lanes.
//! targets = vulkan1.3
// check: OpCapability SampledImageArrayNonUniformIndexing
// check: OpDecorate $picture NonUniform
// not:   OpCapability StorageBufferArrayNonUniformIndexing
Texture2D<float4> Pictures[8] : register(t0);
StructuredBuffer<uint> Numbers[4] : register(t0, space1);
cbuffer Choice : register(b0) {
    uint Chosen;
};
RWStructuredBuffer<float4> Out : register(u0);

[shader("compute")]
[numthreads(8, 1, 1)]
void Fetch(uint id : SV_DispatchThreadID) {
    Out[id] = Pictures[NonUniformResourceIndex(id)].Load(uint3(0, 0, 0)) + Numbers[Chosen][id];
}
