// dxc: -T cs_6_0 -E main
// Reads from lanes of the own quad, by their numbers in the wave.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint first = WaveGetLaneIndex() & ~3;
  uint4 r;
  r.x = WaveReadLaneAt(v, first);
  r.y = (uint)WaveReadLaneAt(float2(0, v), first | 1).y;
  r.z = WaveReadLaneAt(v, first + 2);
  r.w = WaveReadLaneAt(v, WaveGetLaneIndex() | 3);
  Out[id] = r;
}
