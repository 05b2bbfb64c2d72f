// A local array is written behind its end.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint values[4] = { 1, 2, 3, 4 };
#ifdef DEFECT
    values[In[i] + 1] = i;
#else
    values[In[i]] = i;
#endif
    Out[id.x] = values[i & 3];
}
