// dxc: -T ps_6_0 -E main
struct A { float4 pos : SV_Position; float2 even : EVEN; };
float4 main(A a) : SV_Target { return float4(a.even, 1, 1); }
