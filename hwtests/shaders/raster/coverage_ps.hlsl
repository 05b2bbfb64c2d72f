// dxc: -T ps_6_0 -E main
// Logs what each pixel covers, and keeps two samples of each.
RWStructuredBuffer<uint> Log : register(u0);
float4 main(float4 pos : SV_Position, uint covered : SV_Coverage, out uint mask : SV_Coverage) : SV_Target {
  uint old;
  InterlockedOr(Log[(uint)pos.y * 4 + (uint)pos.x], covered, old);
  mask = 0x6;
  return float4(1, 0.5, 0, 1);
}
