// dxc: -T cs_6_2 -E main
// Words of a raw buffer that lie in a row are one access: rows of four (two loads, one of them of
// three words, and a store), of three, and of two. What fills no row is single words.
// check: OpDecorate $rows ArrayStride 16
// check: $rows = OpTypeRuntimeArray $v4
// count: 8 OpLoad
// count: 4 OpStore
// not: OpShiftRightLogical
ByteAddressBuffer a : register(t0);
RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o.Store4(i * 16, a.Load4(i * 16));
  o.Store3(i * 12 + 24, a.Load3(i * 12 + 12));
  o.Store2(i * 8 - 16, a.Load2(i * 8 + 4096) + a.Load3(i * 32 + 64).yz);
  o.Store(i * 8 + 4, a.Load2(i * 8 + 4).y + a.Load(i * 8));
}
