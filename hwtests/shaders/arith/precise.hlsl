// dxc: -T cs_6_0 -E main
// `precise` keeps the two roundings of a product and a sum apart.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id * 2], b = In[id * 2 + 1];
  precise float product = a * b;
  precise float difference = a * a - product;
  Out[id] = difference;
}
