// dxc: -T vs_6_1 -E main
// check: OpCapability ClipDistance
// check: BuiltIn ClipDistance
// check: BuiltIn CullDistance
// check: BuiltIn ViewportIndex
struct Out { float4 pos : SV_Position; float3 clip0 : SV_ClipDistance0; float clip1 : SV_ClipDistance1; float2 cull : SV_CullDistance; uint layer : SV_RenderTargetArrayIndex; uint vp : SV_ViewportArrayIndex; };
Out main(float4 p : POSITION, uint view : SV_ViewID) {
  Out o;
  o.pos = p; o.clip0 = p.xyz; o.clip1 = p.w; o.cull = p.yx; o.layer = 2; o.vp = view;
  return o;
}
