// A read behind a buffer is used. Without the defect the value is dropped.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint next = In[id.x + 1];
#ifdef DEFECT
    Out[id.x] = next;
#else
    Out[id.x] = id.x + 1 < 256 ? next : 0;
#endif
}
