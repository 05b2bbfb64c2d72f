// dxc-newer: -T cs_6_9 -E main
// one-operand math on native vectors: trigonometric, rounding, exp/log, bit counting, isnan/isinf/isfinite
StructuredBuffer<vector<float, 5> > src : register(t0);
RWStructuredBuffer<vector<float, 5> > dst : register(u0);
RWStructuredBuffer<vector<uint, 5> > ints : register(u1);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 5> x = src[id];
  vector<float, 5> r = cos(x) + sin(x) * saturate(x) + frac(x) - floor(x) + ceil(x) + trunc(x) * round(x);
  r += log2(abs(x) + 1) + rsqrt(abs(x) + 1) + atan(x) + cosh(x * 0.01f);
  vector<bool, 5> odd = or(isnan(r), isinf(r));
  r = select(odd, (vector<float, 5>)0, r);
  dst[id] = r;
  vector<uint, 5> u = asuint(x);
  ints[id] = countbits(u) + reversebits(u) + firstbithigh(u) + firstbitlow(u) + (vector<uint, 5>)isfinite(x);
}
