// dxc: -T ps_6_0 -E main
float4 main(noperspective centroid float4 pos : SV_Position, out float depth : SV_DepthGreaterEqual) : SV_Target {
  depth = pos.x < 2 ? 0.75 : pos.z;
  return float4(pos.z, 1, 1, 1);
}
