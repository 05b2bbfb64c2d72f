// dxc-newer: -T lib_6_9
// native vectors through exported and noinline functions, inout parameters and returns
typedef vector<float, 12> f12;
RWByteAddressBuffer buf : register(u0);

export f12 damp(f12 v, float k) { return v * k + 1.0f; }

[noinline] f12 swing(f12 v, inout f12 state) {
  state = state * 0.5f + v;
  return sin(state) * v;
}
[noinline] float fold(f12 v) {
  float s = 0;
  [unroll] for (uint i = 0; i < 12; ++i) s += v[i] * (i + 1);
  return s;
}
[shader("compute")] [numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  f12 st = 0, v = buf.Load<f12>(id * 48);
  for (uint i = 0; i < 3; ++i) v = swing(damp(v, 0.25f * i), st);
  buf.Store<f12>(id * 48, v);
  buf.Store(4096 + id * 4, fold(st));
}
