// dxc: -T cs_6_0 -E main
// A group of 32 threads that reads from lanes whose numbers are cut off at 32.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint lane = (WaveGetLaneIndex() ^ In[0]) & 31;
  Out[id] = WaveReadLaneAt(In[id], lane);
}
