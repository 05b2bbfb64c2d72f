// A division by zero gives infinity.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    float divisor = float(In[i]) - 3;
#else
    float divisor = float(In[i]) - 2;
#endif
    Out[id.x] = asuint(float(i + 1) / divisor);
}
