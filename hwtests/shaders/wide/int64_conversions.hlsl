// dxc: -T cs_6_0 -E main
// 64-bit integers from and to other types.
StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t a = In[id];
  uint o = id * 6;
  Out[o + 0] = (uint)a;
  Out[o + 1] = (uint64_t)(int64_t)(int)a;
  Out[o + 2] = asuint((float)(a & 0xffffff));
  Out[o + 3] = (uint64_t)(float(uint(a) & 0xffff) * 1024.0f);
  Out[o + 4] = (uint64_t)(int64_t)(-float(uint(a) & 0xffff) * 4096.0f);
  Out[o + 5] = (a != 0) ? 1 : 0;
}
