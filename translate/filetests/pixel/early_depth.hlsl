// dxc: -T ps_6_0 -E main
// check: EarlyFragmentTests
[earlydepthstencil]
float4 main(float2 uv : UV) : SV_Target { return uv.xyxy; }
