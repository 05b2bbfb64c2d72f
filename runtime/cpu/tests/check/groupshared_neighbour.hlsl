// An index behind an array of groupshared memory reaches another variable.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint first[64];
groupshared uint second[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    first[i] = i;
    second[i] = i;
    GroupMemoryBarrierWithGroupSync();
#ifdef DEFECT
    uint at = i + In[i];
#else
    uint at = (i + In[i]) & 63;
#endif
    Out[id.x] = first[at] + second[63 - i];
}
