// dxc: -T cs_6_0 -E main
// check: ArrayStride 16
// check: OpTypeArray $v $n
// check: Uniform
cbuffer C : register(b0) { float4 a; float b; int c; float2 d[3]; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a.x + a.w + b + c + d[i].y; }
