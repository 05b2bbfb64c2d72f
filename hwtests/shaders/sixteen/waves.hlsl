// dxc: -T cs_6_2 -E main -enable-16bit-types
// Wave operations on 16-bit values.
StructuredBuffer<uint16_t> In : register(t0);
RWStructuredBuffer<uint16_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint16_t v = In[id];
  Out[id * 4 + 0] = WaveActiveSum(v);
  Out[id * 4 + 1] = WavePrefixSum(v);
  Out[id * 4 + 2] = WaveActiveMax(v);
  Out[id * 4 + 3] = WaveReadLaneAt(v, 1);
}
