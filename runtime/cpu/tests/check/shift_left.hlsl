// A shift to the left by the width of the type or more.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint count = In[i] + i;
#else
    uint count = min(In[i] + i, 31);
#endif
    Out[id.x] = 1u << count;
}
