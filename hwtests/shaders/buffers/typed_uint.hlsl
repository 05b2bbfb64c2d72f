// dxc: -T cs_6_0 -E main
// Read, modify, write of single-component integer texels, which every device can load.
Buffer<uint4> In : register(t0);
RWBuffer<uint> Out : register(u0);
RWBuffer<int> Signed : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint4 v = In[id];
  Out[id] = Out[id] + v.x + v.y * 3 + v.z * 5 + v.w * 7;
  Signed[id] = -Signed[id] + int(v.w);
}
