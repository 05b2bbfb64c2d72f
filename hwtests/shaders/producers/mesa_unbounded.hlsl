// compiled: dxc -spirv, then spirv-to-dxil 0.4.7 (Mesa), shader model 6.2
// An array without an end: Mesa declares it with 0 registers.
StructuredBuffer<uint> In[] : register(t0, space1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = In[NonUniformResourceIndex(id & 3)][id] + 100;
}
