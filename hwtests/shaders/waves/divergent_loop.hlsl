// dxc: -T cs_6_0 -E main
// A loop that lanes leave one after the other: each round counts those that are still in it.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint n = In[id] & 7, sum = 0;
  [loop] for (uint i = 0; i < n; ++i)
    sum = sum * 3 + WaveActiveCountBits(true);
  Out[id] = uint2(sum, WaveActiveSum(n));
}
