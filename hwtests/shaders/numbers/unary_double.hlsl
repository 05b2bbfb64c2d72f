// dxc: -T cs_6_0 -E main
// The functions of one double that have a table of special values.
StructuredBuffer<double> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  precise double x = In[id];
  Out[id * 2] = abs(x);
  Out[id * 2 + 1] = saturate(x);
}
