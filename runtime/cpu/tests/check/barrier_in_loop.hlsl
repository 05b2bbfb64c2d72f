// A barrier stands in a loop that threads leave at different times.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    tile[i] = i;
#ifdef DEFECT
    uint count = (i & 3) + In[i];
#else
    uint count = In[i];
#endif
    for (uint k = 0; k < count; k++)
        GroupMemoryBarrierWithGroupSync();
    Out[id.x] = tile[i];
}
