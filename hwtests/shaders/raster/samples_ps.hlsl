// dxc: -T ps_6_0 -E main
// Runs once per sample: each adds its own number's bit.
RWStructuredBuffer<uint> Log : register(u0);
float4 main(float4 pos : SV_Position, uint index : SV_SampleIndex) : SV_Target {
  uint old;
  InterlockedAdd(Log[(uint)pos.y * 4 + (uint)pos.x], 1 << (index * 8), old);
  return index * 0.25;
}
