// dxc: -T cs_6_0 -E main
// Each min-precision value is a 32-bit value in memory, so four of them are a row.
// not: OpTypeInt 16
// not: OpTypeFloat 16
// check: OpDecorate $rows ArrayStride 16
// count: 3 OpLoad
// count: 2 OpStore
StructuredBuffer<min16float4> a : register(t0);
RWStructuredBuffer<min16float4> o : register(u0);
StructuredBuffer<min16int4> b : register(t1);
RWStructuredBuffer<min16int4> p : register(u1);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a[i] * 2; p[i] = b[i]; }
