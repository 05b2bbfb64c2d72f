// dxc-newer: -T cs_6_9 -E main
// native vectors: float arithmetic on vector<float,7>, fma, min/max/clamp, comparisons, select
// Elements are scalars: seven of everything, no arrays, no variables.
// count: 7 OpFDiv
// count: 7 OpFOrdLessThan
// not:   OpTypeArray
// not:   OpCompositeConstruct
RWByteAddressBuffer buf : register(u0);
typedef vector<float, 7> f7;

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint at = id * 28;
  f7 a = buf.Load<f7>(at);
  f7 b = buf.Load<f7>(at + 4096);
  f7 c = mad(a, b, a - b);
  c = max(c, -b) / (abs(b) + 1.0f);
  c = clamp(c, (f7)-8.0f, (f7)8.0f);
  vector<bool, 7> lt = a < b;
  c = select(lt, c, c * 2.0f);
  if (all(a == b)) c = -c;
  if (any(lt)) c += 1;
  buf.Store<f7>(at + 8192, c);
}
