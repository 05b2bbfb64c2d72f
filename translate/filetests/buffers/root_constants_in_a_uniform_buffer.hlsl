// dxc: -T cs_6_0 -E main
//! bind = root_constants 7 3
//! bind = b0 push 2 6
//! bind = t0 address 0
// A uniform buffer stands for the push constants: rows of four words.
// check: OpDecorate $x Binding 3
// not: PushConstant
cbuffer Constants : register(b0) { uint4 a; uint2 b; };
ByteAddressBuffer data : register(t0);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i & 3] + b.y + data.Load(4 * i); }
