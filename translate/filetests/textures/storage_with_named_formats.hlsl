// dxc: -T cs_6_0 -E main
//! without = STORAGE_READ_WITHOUT_FORMAT STORAGE_WRITE_WITHOUT_FORMAT
// check: OpTypeImage $f 2D 0 0 0 2 Rgba32f
// check: OpTypeImage $u 2D 0 0 0 2 R32ui
// not: WithoutFormat
RWTexture2D<float4> a : register(u1);
RWTexture2D<uint> b : register(u2);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { a[uint2(i, 0)] = a[uint2(i, 1)]; b[uint2(i, 0)] += 1; }
