// dxc: -T cs_6_0 -E main
// frexp, ldexp, modf, step, smoothstep, degrees: what DXC builds out of smaller operations.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id];
  uint o = id * 6;
  float whole;
  Out[o + 0] = modf(a, whole);
  Out[o + 1] = whole;
  Out[o + 2] = ldexp(a, 3);
  Out[o + 3] = step(1.0, a);
  Out[o + 4] = smoothstep(0.0, 4.0, a);
  Out[o + 5] = degrees(a);
}
