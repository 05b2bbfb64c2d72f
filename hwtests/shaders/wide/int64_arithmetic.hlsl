// dxc: -T cs_6_0 -E main
// 64-bit integer arithmetic.
StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t a = In[id * 2], b = In[id * 2 + 1];
  int64_t sa = (int64_t)a, sb = (int64_t)b;
  uint o = id * 14;
  Out[o + 0] = a + b;
  Out[o + 1] = a - b;
  Out[o + 2] = a * b;
  Out[o + 3] = a / (b | 1);
  Out[o + 4] = a % (b | 1);
  Out[o + 5] = (uint64_t)(sa / (int64_t)((b >> 40) | 1));
  Out[o + 6] = a << (b & 63);
  Out[o + 7] = a >> (b & 63);
  Out[o + 8] = (uint64_t)(sa >> (b & 63));
  Out[o + 9] = (a < b ? 1 : 0) + (sa < sb ? 2 : 0) + (a == b ? 4 : 0);
  Out[o + 10] = min(a, b);
  Out[o + 11] = (uint64_t)max(sa, sb);
  Out[o + 12] = countbits(a);
  Out[o + 13] = (a ^ b) | (a & ~b);
}
