// dxc: -T cs_6_0 -E main
//! options = portable
// check: Rgba32f
// not: WithoutFormat
// not: Buffer 0 0 0
Buffer<float4> a : register(t0);
RWBuffer<uint> b : register(u1);
RWTexture2D<float4> c : register(u2);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { c[uint2(i, 0)] = a[i]; b[i] = b[i + 1]; }
