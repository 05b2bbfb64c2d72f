// dxc: -T cs_6_6 -E main
// 64-bit values at multiples of 8 bytes are words of 64 bits, though DXC says that they are aligned to 4.
// count: 1 ArrayStride 8
// not: ArrayStride 4
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  target.Store<uint64_t>(id * 8 + 512, source.Load<uint64_t>((id << 4) + 8) + 1);
}
