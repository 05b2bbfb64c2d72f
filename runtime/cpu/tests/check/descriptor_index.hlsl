// A descriptor is used that the range does not have.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> Buffers[4] : register(t0, space1);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint index = In[0] + 1;
#else
    uint index = In[0] - 1;
#endif
    Out[id.x] = Buffers[index][i];
}
