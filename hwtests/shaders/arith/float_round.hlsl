// dxc: -T cs_6_0 -E main
// The four roundings and the fraction, ties and negative numbers among them.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id];
  uint o = id * 5;
  Out[o + 0] = floor(a);
  Out[o + 1] = ceil(a);
  Out[o + 2] = trunc(a);
  Out[o + 3] = round(a);
  Out[o + 4] = frac(a);
}
