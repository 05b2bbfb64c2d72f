// dxc: -T cs_6_0 -E main
//! bind = t0 heap 3 1 100 5
//! bind = t1 heap 3 1 7 -
//! bind = s0 heap 3 2 0 6
// Ranges of one heap share a variable.
// count: 1 OpDecorate $x Binding 1
// check: PushConstant
Texture2D<float4> a[4] : register(t10);
Texture2D<float4> b : register(t2);
SamplerState s : register(s0);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i].SampleLevel(s, 0, 0) + b.Load(0); }
