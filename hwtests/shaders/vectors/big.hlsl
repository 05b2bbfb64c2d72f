// dxc-newer: -T cs_6_9 -E main
// native vectors at the maximum: 1024 components, plus groupshared copies of 128
RWByteAddressBuffer buf : register(u0);
groupshared vector<uint, 128> keep;

[numthreads(1, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<float, 1024> v = buf.Load<vector<float, 1024> >(id * 4096);
  v = v * v + 0.5f;
  buf.Store<vector<float, 1024> >(id * 4096, v);
  keep = buf.Load<vector<uint, 128> >(65536);
  keep = min(keep, 77u);
  buf.Store<vector<uint, 128> >(65536, keep ^ keep[id & 127]);
}
