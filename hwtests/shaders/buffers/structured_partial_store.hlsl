// dxc: -T cs_6_0 -E main
// Single components of an element are stored, the others keep what they held.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id % 4 == 0) Out[id].x = In[id];
  else if (id % 4 == 1) Out[id].yz = uint2(In[id], id);
  else if (id % 4 == 2) Out[id].w = In[id];
  else Out[id].xw = uint2(id, In[id]);
}
