// dxc-newer: -T cs_6_9 -E main
// native vectors through templates: two dense layers with dynamic weights
StructuredBuffer<float> weights : register(t0);
RWStructuredBuffer<vector<float, 16> > acts : register(u0);

template<uint N, uint M>
vector<float, M> dense(vector<float, N> x, uint at) {
  vector<float, M> y;
  [unroll] for (uint r = 0; r < M; ++r) {
    vector<float, N> w;
    [unroll] for (uint c = 0; c < N; ++c) w[c] = weights[at + r * N + c];
    y[r] = dot(w, x);
  }
  return max(y, 0);
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 16> x = acts[id];
  vector<float, 6> h = dense<16, 6>(x, 0);
  acts[id] = dense<6, 16>(h, 96) + x;
}
