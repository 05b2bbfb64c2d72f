// dxc: -T ps_6_0 -E main
// Runs once per sample, although the input that says so is not read.
RWStructuredBuffer<uint> Log : register(u0);
float4 main(float4 pos : SV_Position, sample float2 uv : UV, uint covered : SV_Coverage) : SV_Target {
  uint old;
  InterlockedAdd(Log[(uint)pos.y * 4 + (uint)pos.x], 1 + (covered << 8), old);
  return 0.375;
}
