// dxc: -T cs_6_0 -E main
// Structured buffers of single words.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = In[63 - id];
}
