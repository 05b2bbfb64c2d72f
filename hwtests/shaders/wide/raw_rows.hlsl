// dxc: -T cs_6_6 -E main
// 64-bit values of raw buffers at multiples of 8 bytes, of which DXC says 4.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t a = In.Load<uint64_t>(id * 8);
  uint64_t2 b = In.Load<uint64_t2>((id << 4) + 64);
  // The last lanes read beyond the end.
  uint64_t c = In.Load<uint64_t>(id * 8 + 256);
  Out.Store<uint64_t>(id * 8, a + b.y);
  Out.Store<uint64_t2>(128 + id * 16, uint64_t2(b.x ^ c, c));
}
