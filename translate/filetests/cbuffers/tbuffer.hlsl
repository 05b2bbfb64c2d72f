// dxc: -T cs_6_0 -E main
// check: StorageBuffer
// not: OpTypeImage
tbuffer T : register(t0) { float4 a; uint b[4]; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a.y + b[i]; }
