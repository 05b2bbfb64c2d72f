// dxc-newer: -T cs_6_9 -E main
// native vectors in raw buffers at many sizes and unaligned offsets (2..32 uint)
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);

template<uint N> void rotate(uint from, uint to) {
  vector<uint, N> v = src.Load<vector<uint, N> >(from);
  v = (v << 3) | (v >> 29);
  dst.Store<vector<uint, N> >(to, v);
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint b = id * 512;
  rotate<2>(b, b);
  rotate<3>(b + 8, b + 8);
  rotate<5>(b + 20, b + 20);
  rotate<8>(b + 40, b + 40);
  rotate<16>(b + 72, b + 72);
  rotate<32>(b + 136, b + 136);
}
