// dxc: -T lib_6_3 -default-linkage external
// The variables that stand for resources in a library leave no trace.
// check: StorageBufferArrayDynamicIndexing
// not: Private
StructuredBuffer<uint> a[4] : register(t2);
cbuffer C : register(b1) { uint k; };
RWStructuredBuffer<uint> o : register(u0);
[shader("compute")]
[numthreads(1, 1, 1)]
void main(uint3 i : SV_GroupID) { o[i.x] = a[k][i.x] + a[1][0]; }
