// A part of an array that nothing has set is copied and then used.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint values[4];
    uint copies[4];
    values[i & 1] = i;
    values[(i & 1) ^ 1] = 2;
    for (uint k = 0; k < In[i] + 1; k++)
        copies[k] = values[k];
#ifdef DEFECT
    uint other = In[i];
#else
    uint other = In[i] & 1;
#endif
    Out[id.x] = copies[other];
}
