// A constant buffer is read behind its end.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Constants : register(b0) { uint4 rows[4]; };

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = rows[In[i] - 2].x;
#else
    Out[id.x] = rows[In[i] - 3].x;
#endif
}
