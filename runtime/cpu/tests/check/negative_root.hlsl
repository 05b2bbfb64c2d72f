// The root of a negative number is NaN.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    float value = float(In[i]) - 4;
#else
    float value = float(In[i]) - 3;
#endif
    Out[id.x] = asuint(sqrt(value));
}
