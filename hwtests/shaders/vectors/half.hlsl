// dxc-newer: -T cs_6_9 -E main -enable-16bit-types
// native vectors of half: loads at 2-byte alignment, math, conversion to float and int
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
typedef vector<half, 11> h11;

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  h11 a = src.Load<h11>(id * 22);
  h11 b = src.Load<h11>(2048 + id * 22);
  h11 r = exp2(a * (half)0.125) + sqrt(abs(b)) * tanh(a);
  vector<float, 11> f = (vector<float, 11>)r * 100.0f;
  vector<int, 11> i = (vector<int, 11>)f;
  vector<int16_t, 11> s = (vector<int16_t, 11>)i;
  dst.Store<h11>(id * 22, r);
  dst.Store<vector<float, 11> >(4096 + id * 44, round(f));
  dst.Store<vector<int16_t, 11> >(16384 + id * 22, s);
}
