// Half of the groupshared memory is never written. Without the defect that half is dropped.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    if (i < 32)
        tile[i] = In[id.x];
    GroupMemoryBarrierWithGroupSync();
    uint value = tile[i];
    GroupMemoryBarrierWithGroupSync();
#ifdef DEFECT
    Out[id.x] = value;
#else
    Out[id.x] = i < 32 ? value : 0;
#endif
}
