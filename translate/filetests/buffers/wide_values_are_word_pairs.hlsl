// dxc: -T cs_6_2 -E main
// 64-bit values need no more than word alignment; one that has more is loaded as a pair.
// check: ArrayStride 8
// check: OpBitcast $double
// count: 4 OpLoad
// count: 4 OpStore
RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  double d = o.Load<double>(i * 4 + 4);
  uint64_t q = o.Load<uint64_t>(64);
  o.Store<double>(i * 4 + 20, d + 1.0);
  o.Store<uint64_t>(100, q + 1);
}
