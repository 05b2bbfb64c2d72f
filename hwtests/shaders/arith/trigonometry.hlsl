// dxc: -T cs_6_0 -E main
// Trigonometric and hyperbolic functions.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id];
  uint o = id * 10;
  Out[o + 0] = sin(a);
  Out[o + 1] = cos(a);
  Out[o + 2] = tan(a);
  Out[o + 3] = asin(a * 0.25);
  Out[o + 4] = acos(a * 0.25);
  Out[o + 5] = atan(a);
  Out[o + 6] = sinh(a);
  Out[o + 7] = cosh(a);
  Out[o + 8] = tanh(a);
  Out[o + 9] = atan2(a, 1.5);
}
