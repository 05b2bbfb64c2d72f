// dxc: -T ps_6_6 -E main
// A pixel's neighbours in its quad are helpers where nothing was drawn.
float4 main() : SV_Target {
  float helper = IsHelperLane() ? 1 : 0;
  return float4(helper, abs(ddx_fine(helper)), abs(ddy_fine(helper)), 1);
}
