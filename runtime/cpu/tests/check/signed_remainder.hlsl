// The remainder of a division by zero is used.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    int divisor = int(In[i]) - 3;
    int remainder = (int(i) - 32) % divisor;
#ifdef DEFECT
    Out[id.x] = remainder;
#else
    Out[id.x] = divisor != 0 && remainder > 1;
#endif
}
