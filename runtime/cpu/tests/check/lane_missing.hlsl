// A value is read from a lane that the wave does not have.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint lane = WaveGetLaneIndex();
    uint before = WaveReadLaneAt(In[i] + i, lane - 1);
#ifdef DEFECT
    Out[id.x] = before;
#else
    Out[id.x] = lane > 0 ? before : 0;
#endif
}
