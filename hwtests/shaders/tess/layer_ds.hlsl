// dxc: -T ds_6_0 -E main
struct P { float4 pos : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; float clip : SV_ClipDistance; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float4 pos : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; uint layer : SV_RenderTargetArrayIndex; float clip : SV_ClipDistance; };
[domain("tri")]
O main(C c, float3 at : SV_DomainLocation, const OutputPatch<P, 3> p) {
  O o;
  o.pos = p[0].pos * at.x + p[1].pos * at.y + p[2].pos * at.z;
  o.color = c.pos;
  o.id = p[2].view;
  // 0 + 1 + 2, and one: the third layer of three.
  o.layer = c.layer - p[1].layer;
  o.clip = p[0].clip * at.x + p[1].clip * at.y + p[2].clip * at.z;
  return o;
}
