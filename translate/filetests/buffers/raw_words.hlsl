// dxc: -T cs_6_2 -E main
// A byte address becomes a word index; loads are as wide as what is used. Words that fill a row are
// stored together.
// check: $u = OpTypeInt 32 0
// check: OpShiftRightLogical $u
// count: 5 OpLoad $u
// count: 2 OpStore
ByteAddressBuffer a : register(t0);
RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint4 v = a.Load4(i);
  o.Store3(16, uint3(v.x + v.y, v.z, a.Load(8) + v.w));
}
