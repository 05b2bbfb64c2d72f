// dxc: -T cs_6_5 -E main
// Lanes with the same value find each other; prefixes over them.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint key = In[id] & 3, v = In[id];
  uint4 mask = WaveMatch(key);
  uint o = id * 8;
  Out[o + 0] = mask.x;
  Out[o + 1] = WaveMultiPrefixSum(v, mask);
  Out[o + 2] = WaveMultiPrefixProduct(v | 1, mask);
  Out[o + 3] = WaveMultiPrefixCountBits((v & 4) != 0, mask);
  Out[o + 4] = WaveMultiPrefixBitAnd(v, mask);
  Out[o + 5] = WaveMultiPrefixBitOr(v, mask);
  Out[o + 6] = WaveMultiPrefixBitXor(v, mask);
  Out[o + 7] = mask.y | mask.z | mask.w;
}
