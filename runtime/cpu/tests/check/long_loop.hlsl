// The dispatch takes most of the steps that the test gives.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint count = 8000;
#else
    uint count = 100;
#endif
    uint sum = i;
    [loop] for (uint k = 0; k < count; k++) {
        if (sum & 1)
            sum = sum * 3 + In[k & 255];
        else
            sum >>= 1;
    }
    Out[id.x] = sum;
}
