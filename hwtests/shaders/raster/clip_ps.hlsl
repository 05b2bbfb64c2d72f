// dxc: -T ps_6_0 -E main
struct O { float4 pos : SV_Position; float3 clip[2] : SV_ClipDistance; float cull : SV_CullDistance; float4 color : COLOR; };
float4 main(O o) : SV_Target {
  return float4(o.clip[0].x, o.clip[1].x, o.clip[1].z, o.cull + o.clip[0].z * 10);
}
