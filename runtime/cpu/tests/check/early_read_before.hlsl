// A read before an array of groupshared memory is used. Without the defect the value is dropped.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint other[64];
groupshared uint sums[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    other[63 - i] = i;
    sums[i] = In[i];
    GroupMemoryBarrierWithGroupSync();
#ifdef DEFECT
    uint before = sums[i - 1];
#else
    uint before = i >= 1 ? sums[i - 1] : 0;
#endif
    Out[id.x] = before + other[i];
}
