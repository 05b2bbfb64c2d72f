// dxc: -T ps_6_0 -E main
// check: OpExecutionMode $main OriginUpperLeft
// check: BuiltIn FragCoord
// count: 1 Flat
// count: 1 NoPerspective
// count: 1 Centroid
struct In { float4 pos : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint id : ID; noperspective float3 color : COLOR; centroid float2 c : C; bool front : SV_IsFrontFace; };
float4 main(In i) : SV_Target0 {
  float4 v = i.pos + float4(i.uv, i.id, 1) + float4(i.color, i.c.x);
  if (!i.front) v = -v;
  v.xy += ddx(i.uv) + ddy_fine(i.c);
  return v;
}
