// dxc: -T cs_6_0 -E main
// Double arithmetic, comparison and fused multiply-add.
StructuredBuffer<double> In : register(t0);
RWStructuredBuffer<double> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  double a = In[id * 2], b = In[id * 2 + 1];
  uint o = id * 9;
  Out[o + 0] = a + b;
  Out[o + 1] = a - b;
  Out[o + 2] = a * b;
  Out[o + 3] = a / b;
  Out[o + 4] = min(a, b);
  Out[o + 5] = max(a, b);
  Out[o + 6] = fma(a, b, 1.0L);
  Out[o + 7] = a < b ? -a : abs(b);
  Out[o + 8] = (a == b || a >= 2) ? 1.0L : 0.5L;
}
