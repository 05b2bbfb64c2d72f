// A slot is used that the heap does not have.
// dxc -T cs_6_6
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint index = In[0] + 4;
#else
    uint index = In[0] - 3;
#endif
    StructuredBuffer<uint> buffer = ResourceDescriptorHeap[index];
    Out[id.x] = buffer[i];
}
