// dxc: -T cs_6_0 -E main
// Atomics name the format; signed texels keep their sign.
// check: OpTypeImage $u 2D 0 0 0 2 R32ui
// check: OpTypeImage $i 3D 0 0 0 2 R32i
// check: OpImageTexelPointer
// check: OpAtomicUMax
// check: OpAtomicSMin
// check: OpAtomicCompareExchange
RWTexture2D<uint> a : register(u1);
RWTexture3D<int> b : register(u2);
RWBuffer<uint> c : register(u3);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint old; int was;
  InterlockedMax(a[uint2(i, 0)], 7, old); InterlockedMin(b[uint3(i, 0, 0)], -3, was); InterlockedCompareExchange(c[i], old, was, old); a[uint2(i, 1)] = old;
}
