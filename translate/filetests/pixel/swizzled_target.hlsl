// dxc: -T ps_6_0 -E main
//! signature = swizzle 2 1 0 3
// A target of two components has all four: each may go anywhere.
// check: OpTypeVector $f 4
// check: OpAccessChain $p $v $two
float2 main(float2 a : A) : SV_Target { return a; }
