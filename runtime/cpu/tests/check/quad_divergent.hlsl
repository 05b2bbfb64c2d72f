// A value is read from a lane of the quad that is inactive.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    if ((i & 1) == 0)
#else
    if (i < 32)
#endif
        Out[id.x] = QuadReadAcrossX(In[i] + i);
}
