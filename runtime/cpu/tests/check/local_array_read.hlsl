// A local array is read before its beginning.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint values[4] = { 1, 2, 3, 4 };
    values[i & 3] = i;
#ifdef DEFECT
    Out[id.x] = values[int(In[i]) - 4];
#else
    Out[id.x] = values[int(In[i]) - 3];
#endif
}
