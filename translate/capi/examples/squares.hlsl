// dxc: -T cs_6_0 -E main
cbuffer Constants : register(b0) { uint bias; };
RWStructuredBuffer<uint> squares : register(u0);

[numthreads(16, 1, 1)]
void main(uint n : SV_DispatchThreadID) { squares[n] = n * n + bias; }
