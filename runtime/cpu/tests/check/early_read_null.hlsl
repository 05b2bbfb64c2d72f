// A read through a null descriptor is used. Without the defect the value is dropped.
StructuredBuffer<uint> In : register(t0);
StructuredBuffer<uint> Nothing : register(t3);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint value = Nothing[id.x];
#ifdef DEFECT
    Out[id.x] = value;
#else
    Out[id.x] = In[id.x] != 3 ? value : 0;
#endif
}
