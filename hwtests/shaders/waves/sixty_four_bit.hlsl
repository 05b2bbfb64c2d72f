// dxc: -T cs_6_0 -E main
// Wave operations on 64-bit values.
StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t v = In[id];
  Out[id * 4 + 0] = WaveActiveSum(v);
  Out[id * 4 + 1] = WaveActiveMax(v);
  Out[id * 4 + 2] = WavePrefixSum(v);
  Out[id * 4 + 3] = WaveReadLaneFirst(v);
}
