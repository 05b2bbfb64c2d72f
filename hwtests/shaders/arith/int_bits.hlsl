// dxc: -T cs_6_0 -E main
// Bit counts, searches and reversal, with their answers for zero.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id];
  uint o = id * 6;
  Out[o + 0] = countbits(a);
  Out[o + 1] = reversebits(a);
  Out[o + 2] = firstbithigh(a);
  Out[o + 3] = uint(firstbithigh(int(a)));
  Out[o + 4] = firstbitlow(a);
  Out[o + 5] = firstbitlow(a & 0xffff0000u);
}
