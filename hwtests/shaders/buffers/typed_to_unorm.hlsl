// dxc: -T cs_6_0 -E main
// A store to a unorm buffer clamps and rounds.
StructuredBuffer<float4> In : register(t0);
RWBuffer<unorm float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = In[id];
}
