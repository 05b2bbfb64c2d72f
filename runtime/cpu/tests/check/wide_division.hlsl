// An integer of 64 bits is divided by zero.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint64_t divisor = uint64_t(In[i]) - 3;
#else
    uint64_t divisor = uint64_t(In[i]) - 2;
#endif
    Out[id.x] = uint((uint64_t(i) << 32) / divisor);
}
