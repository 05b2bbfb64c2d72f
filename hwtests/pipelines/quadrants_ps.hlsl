// dxc: -T ps_6_0 -E main
// The vertices' colour, scaled by a constant; pixels on the left count themselves, if they
// are visible.
cbuffer Scale : register(b0) { float4 Scale; };
RWStructuredBuffer<uint> Seen : register(u1);

[earlydepthstencil]
float4 main(float4 position : SV_Position, float4 color : COLOR,
            bool front : SV_IsFrontFace) : SV_Target {
  if (position.x < 2)
    InterlockedAdd(Seen[front ? 0 : 1], 1);
  return color * Scale;
}
