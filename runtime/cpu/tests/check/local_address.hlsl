// An address depends on an element that nothing has set.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint values[4];
    for (uint k = 0; k < In[i]; k++)
        values[k] = k;
#ifdef DEFECT
    uint last = In[i];
#else
    uint last = In[i] - 1;
#endif
    Out[id.x] = In[values[last]];
}
