// dxc: -T cs_6_0 -E main
// Masked sums of absolute differences.
StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint4 v = In[id];
  Out[id] = msad4(v.x, v.yz, uint4(v.w, 1, 2, 3));
}
