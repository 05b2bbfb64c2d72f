// dxc: -T cs_6_0 -E main
// Exclusive prefix sums, products and counts.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint o = id * 4;
  Out[o + 0] = WavePrefixSum(v);
  Out[o + 1] = WavePrefixProduct(v | 1);
  Out[o + 2] = WavePrefixCountBits((v & 1) != 0);
  Out[o + 3] = asuint(WavePrefixSum(float(v)));
}
