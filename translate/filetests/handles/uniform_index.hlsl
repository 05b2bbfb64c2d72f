// dxc: -T cs_6_0 -E main
// check: OpCapability StorageBufferArrayDynamicIndexing
// not: NonUniform
cbuffer C : register(b0) { uint k; };
StructuredBuffer<uint> s[4] : register(t2);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = s[k][i] + s[2][i]; }
