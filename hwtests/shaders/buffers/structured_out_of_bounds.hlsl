// dxc: -T cs_6_0 -E main
// Elements beyond the end read as zero and are not written.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint far = id < 8 ? id : id * 0x10000;
  uint2 v = In[far];
  Out[id] = v + uint2(1, 2);
  if (id >= 8) Out[far] = uint2(77, 78);
}
