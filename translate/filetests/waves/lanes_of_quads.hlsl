// dxc: -T cs_6_0 -E main
// Reads from lanes of the own quad; the last one may be in another.
// count: 4 OpGroupNonUniformQuadBroadcast
// count: 1 OpGroupNonUniformShuffle
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id], first = WaveGetLaneIndex() & ~3;
  uint a = WaveReadLaneAt(v, first), b = WaveReadLaneAt(v, first | 1), c = WaveReadLaneAt(v, first + 2);
  uint d = WaveReadLaneAt(v, WaveGetLaneIndex() | 3), e = WaveReadLaneAt(v, WaveGetLaneIndex() | 1);
  Out[id] = a + 2 * b + 3 * c + 5 * d + 7 * e;
}
