// dxc: -T ps_6_1 -E main
struct O { float4 pos : SV_Position; nointerpolation float4 color : COLOR; };
float4 main(O o, float3 at : SV_Barycentrics) : SV_Target {
  return GetAttributeAtVertex(o.color, 0) * at.x + GetAttributeAtVertex(o.color, 1) * at.y + GetAttributeAtVertex(o.color, 2) * at.z;
}
