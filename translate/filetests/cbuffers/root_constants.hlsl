// dxc: -T cs_6_0 -E main
//! bind = b0 push 2 6
// check: PushConstant
// Rows that the root constants do not reach are zero; computed ones are guarded.
// check: OpULessThan
// not: Uniform
cbuffer C : register(b0) { float4 a; float4 b[2]; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a.y + b[0].y + b[1].z + b[i].x; }
