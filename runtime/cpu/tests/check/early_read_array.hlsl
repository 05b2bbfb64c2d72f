// The order of two conditions decides whether an element before a local array counts.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint values[8];
    for (uint k = 0; k < 8; ++k)
        values[k] = In[id.x] + k;
    int at = int(id.x & 7) - 1;
#ifdef DEFECT
    bool is_large = values[at] > 3;
#else
    bool is_large = at >= 0 && values[at] > 3;
#endif
    Out[id.x] = is_large ? 1 : 2;
}
