// dxc: -T cs_6_0 -E main
// Typed buffers convert from and to their format (here 8-bit unorm in, 32-bit float out).
Buffer<float4> In : register(t0);
RWBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = In[id].wzyx;
}
