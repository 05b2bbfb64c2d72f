// A wave operation takes an element that nothing has set.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint values[4];
    values[i & 1] = i;
    values[(i & 1) ^ 1] = 2;
#ifdef DEFECT
    uint other = In[i];
#else
    uint other = In[i] & 1;
#endif
    Out[id.x] = WaveActiveSum(values[other]);
}
