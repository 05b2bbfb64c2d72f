// dxc: -T cs_6_0 -E main
// Texels beyond the end read as zero and are not written.
Buffer<uint4> In : register(t0);
RWBuffer<uint> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint far = id < 8 ? id : id * 0x1000;
  uint4 v = In[far];
  Out[id] = v.x + v.y + v.z + 5;
  if (id >= 8) Out[far] = 99;
}
