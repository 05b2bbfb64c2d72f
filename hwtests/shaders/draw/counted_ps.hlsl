// dxc: -T ps_6_0 -E main
// Counts fragments in a buffer; the depth test comes first.
RWStructuredBuffer<uint> Seen : register(u1);
[earlydepthstencil]
float4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target {
  InterlockedAdd(Seen[0], 1);
  return color;
}
