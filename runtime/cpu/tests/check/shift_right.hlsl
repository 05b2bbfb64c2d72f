// A signed shift to the right by the width of the type or more.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint count = In[i] * 11;
#else
    uint count = In[i] * 10;
#endif
    Out[id.x] = int(i - 40) >> count;
}
