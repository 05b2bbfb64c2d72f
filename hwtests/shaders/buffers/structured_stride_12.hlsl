// dxc: -T cs_6_0 -E main
// Three-component elements lie 12 bytes apart.
StructuredBuffer<float3> In : register(t0);
RWStructuredBuffer<float3> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = In[id].zyx + float3(0, id, 0);
}
