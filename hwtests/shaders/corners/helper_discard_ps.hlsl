// dxc: -T ps_6_6 -E main
// A lane becomes a helper when it is discarded, and its neighbour sees that.
float4 main(float4 position : SV_Position) : SV_Target {
  bool before = IsHelperLane();
  if (uint(position.x) & 1) discard;
  float after = IsHelperLane() ? 1 : 0;
  return float4(before, abs(ddx_fine(after)), after, 1);
}
