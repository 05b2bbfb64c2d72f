// dxc: -T cs_6_0 -E main
// Reads from other lanes: the first, a fixed one, and one that every lane chooses itself.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint lane = WaveGetLaneIndex(), count = WaveGetLaneCount();
  uint4 r;
  r.x = WaveReadLaneFirst(v);
  r.y = WaveReadLaneAt(v, 2);
  r.z = WaveReadLaneAt(v, (lane + 1) % count);
  r.w = asuint(WaveReadLaneAt(float2(v, lane), count - 1 - lane).y);
  Out[id] = r;
}
