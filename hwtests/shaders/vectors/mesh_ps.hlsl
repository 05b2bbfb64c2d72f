// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, float3 n : NORMAL, float2 uv : TEXCOORD0) : SV_Target {
  return float4(n.x + n.y * 10 + n.z * 100, uv, 1);
}
