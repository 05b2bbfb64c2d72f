// dxc: -T cs_6_0 -E main
// Two-component half texels.
Buffer<float2> In : register(t0);
RWBuffer<float2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = In[63 - id].yx * 2;
}
