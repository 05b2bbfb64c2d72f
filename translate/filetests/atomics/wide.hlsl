// dxc: -T cs_6_6 -E main
// check: OpCapability Int64Atomics
// check: ArrayStride 8
// check: OpAtomicUMax
RWByteAddressBuffer r : register(u0);
RWStructuredBuffer<uint64_t> s : register(u1);
RWTexture2D<int64_t> t : register(u2);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint64_t old; r.InterlockedAdd64(8 * i, 5, old); InterlockedMax(s[i], old, old); r.Store<uint64_t>(64, old);
  InterlockedMin(t[uint2(i, 0)], -1);
}
