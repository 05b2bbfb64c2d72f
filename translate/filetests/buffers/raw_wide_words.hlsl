// dxc: -T cs_6_6 -E main
// 64-bit values at multiples of 4 bytes are two words.
// count: 1 ArrayStride 4
// not: ArrayStride 8
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  target.Store<uint64_t>(id * 12, source.Load<uint64_t>(id * 8 + 4) + 1);
}
