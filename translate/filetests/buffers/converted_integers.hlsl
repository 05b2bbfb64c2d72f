// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 R8Sint
//! bind = u0 texels 0 4 Rgba16Uint
// check: OpShiftRightArithmetic
// check: UMin
// not: OpTypeImage
Buffer<int4> a : register(t0);
RWBuffer<uint4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i]; }
