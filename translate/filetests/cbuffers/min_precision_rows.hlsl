// dxc: -T cs_6_0 -E main
// Four to a row.
cbuffer C : register(b0) { min16float4 a; min16int b; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a.x * a.w + b; }
