// A value is read from a lane that is inactive.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint lane = WaveGetLaneIndex();
    if (lane < 16) {
#ifdef DEFECT
        uint other = lane + 16;
#else
        uint other = 15 - lane;
#endif
        Out[id.x] = WaveReadLaneAt(In[i] + i, other);
    }
}
