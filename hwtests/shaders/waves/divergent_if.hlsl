// dxc: -T cs_6_0 -E main
// Only the lanes that took the branch count inside of it; all count again after it.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint4 r = 0;
  [branch] if (v & 1) {
    r.x = WaveActiveSum(v);
    [branch] if (v & 2) r.y = WaveActiveCountBits(true);
    else r.y = 100 + WaveActiveCountBits(true);
  } else {
    r.x = WaveActiveMax(v);
    r.y = WavePrefixSum(1u);
  }
  r.z = WaveActiveSum(v);
  r.w = WaveActiveCountBits(true);
  Out[id] = r;
}
