// dxc-newer: -T cs_6_9 -E main
// dynamic component access on native vectors: insert and extract in loops, partial writes
// A computed index picks from a variable that holds the vector; what it replaces is a selection in each place.
// check: $row = OpTypeArray $float $13
// check: OpVariable $p Function
StructuredBuffer<vector<float, 13> > src : register(t0);
RWStructuredBuffer<vector<float, 13> > dst : register(u0);
cbuffer C : register(b0) { uint from; uint to; uint count; };

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 13> v = src[id];
  [loop] for (uint i = 0; i < count; ++i) {
    uint a = (from + i) % 13, b = (to + i * 3) % 13;
    float t = v[a];
    v[a] = v[b];
    v[b] = t;
  }
  v[id % 13] *= 2;
  float keep = v[0]; v[0] = v[2]; v[2] = keep;
  vector<float, 13> w = v;
  w[12] = dot(v, w);
  dst[id] = w;
}
