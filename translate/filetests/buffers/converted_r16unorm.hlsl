// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 R16Unorm
//! bind = u0 texels 0 4 R16Unorm
// not: OpTypeImage
Buffer<float4> a : register(t0);
RWBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i] * 2; }
