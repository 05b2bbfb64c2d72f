// A null descriptor is read.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> Nothing : register(t3);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Nothing[i];
#else
    Out[id.x] = In[i];
#endif
}
