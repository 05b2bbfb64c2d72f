// dxc: -T cs_6_0 -E main
// 64-bit addition in two words, through the add-with-carry operation.
StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = AddUint64(In[id].xy, In[id].zw);
}
