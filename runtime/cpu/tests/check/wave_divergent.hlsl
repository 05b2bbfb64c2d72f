// A wave operation stands in divergent control flow.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint sum = 0;
#ifdef DEFECT
    if (In[i] * i > 20)
#else
    if (In[i] > 2)
#endif
        sum = WaveActiveSum(i);
    Out[id.x] = sum;
}
