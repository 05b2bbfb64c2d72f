// A float is larger than a signed integer can be.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    float value = float(In[i]) * 1e9;
#else
    float value = float(In[i]) * 1e8;
#endif
    Out[id.x] = int(value);
}
