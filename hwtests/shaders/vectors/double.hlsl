// dxc-newer: -T cs_6_9 -E main
// native vectors of double: Newton iterations, fma, conversions
StructuredBuffer<vector<double, 5> > src : register(t0);
RWStructuredBuffer<vector<double, 5> > dst : register(u0);
RWStructuredBuffer<vector<float, 5> > err : register(u1);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<double, 5> a = src[id];
  vector<double, 5> x = (vector<double, 5>)(1.0f / (vector<float, 5>)a);
  [unroll] for (uint i = 0; i < 3; ++i)
    x = x * (2.0L - a * x);
  dst[id] = fma(x, a, max(x, (vector<double, 5>)0));
  err[id] = (vector<float, 5>)(a * x - 1.0L);
}
