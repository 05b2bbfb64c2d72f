// dxc: -T ps_6_0 -E main
// check: RelaxedPrecision
min16float4 main(min16float2 uv : UV, nointerpolation min16int k : K) : SV_Target {
  return uv.xyxy * (min16float)k;
}
