// dxc-newer: -T cs_6_9 -E main
// native vectors at the maximum: 1024 components, plus groupshared copies of 128
// 1024 loads and as many stores; one array for group-shared memory and one to pick from.
// count: 1 OpTypeArray
// count: 1024 OpFMul
// count: 1154 OpLoad
// count: 1280 OpStore
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
