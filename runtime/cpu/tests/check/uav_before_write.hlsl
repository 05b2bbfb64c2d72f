// A UAV is read that the dispatch was to write first.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint before = Out[id.x];
#else
    uint before = In[i];
#endif
    Out[id.x] = before + 1;
}
