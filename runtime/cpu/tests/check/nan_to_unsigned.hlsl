// NaN becomes an unsigned integer.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    float value = sqrt(2 - float(In[i]));
#else
    float value = sqrt(float(In[i]));
#endif
    Out[id.x] = uint(value);
}
