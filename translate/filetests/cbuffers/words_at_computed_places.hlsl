// dxc: -T cs_6_0 -E main -no-legacy-cbuf-layout
// Values at computed byte offsets come from an array of words.
// check: ArrayStride 4
// not: OpShiftRightLogical
cbuffer Constants : register(b0) { float4 rows[16]; }
RWStructuredBuffer<float> sums : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) { sums[id] = rows[id].x + rows[id + 1].z; }
