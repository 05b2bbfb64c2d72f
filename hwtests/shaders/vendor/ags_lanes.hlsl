// dxc: -T cs_6_0 -E main
// What lanes tell each other by AGS: an instruction is a compare-exchange whose address says which.
RWByteAddressBuffer Ags : register(u0, space2147420894);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint x = In[id];
  uint odd = x & 1;
  uint low = ags(0x05, 0, 0, odd, 0);
  uint high = ags(0x05, 1, 0, odd, 0);
  uint at = id * 16;
  Out[at + 0] = ags(0x01, 0, 0, x, 0);
  Out[at + 1] = ags(0x02, 0, 2, x, 0);
  Out[at + 2] = ags(0x03, 0, 0, 0, 0);
  Out[at + 3] = ags(0x19, 0, 0, 0, 0);
  Out[at + 4] = low;
  Out[at + 5] = high;
  Out[at + 6] = ags(0x06, 0, 0, low, high);
  Out[at + 7] = ags(0x1d, 0, 0, x, id & 3);
  // Neighbours swapped; each four reversed; the second of each two; each four rotated.
  Out[at + 8] = ags(0x04, 0, 0x041f, x, 0);
  Out[at + 9] = ags(0x04, 0, 0x0c1f, x, 0);
  Out[at + 10] = ags(0x04, 0, 0x003e, x, 0);
  Out[at + 11] = ags(0x04, 0, 0x8000 | 1 | 2 << 2 | 3 << 4 | 0 << 6, x, 0);
  Out[at + 12] = ags(0x12, 0, 0x03, x, 0);
  Out[at + 13] = ags(0x12, 0, 0x0f, x, 0);
  Out[at + 14] = ags(0x13, 0, 0x03 | 1 << 8, x, 0);
  Out[at + 15] = ags(0x13, 0, 0x0c | 2 << 8, x, 0);
}
