// An unsigned integer is divided by zero.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint divisor = In[i] - 3;
    uint quotient = i / divisor;
#ifdef DEFECT
    Out[id.x] = quotient;
#else
    Out[id.x] = divisor == 0 ? 0 : quotient;
#endif
}
