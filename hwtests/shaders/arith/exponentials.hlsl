// dxc: -T cs_6_0 -E main
// Powers, logarithms and roots of positive numbers.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id];
  uint o = id * 7;
  Out[o + 0] = exp(a);
  Out[o + 1] = exp2(a);
  Out[o + 2] = log(a);
  Out[o + 3] = log2(a);
  Out[o + 4] = sqrt(a);
  Out[o + 5] = rsqrt(a);
  Out[o + 6] = pow(a, 1.75);
}
