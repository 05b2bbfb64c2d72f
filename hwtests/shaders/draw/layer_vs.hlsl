// dxc: -T vs_6_0 -E main
// Instance i draws to layer i.
struct V { float4 position : SV_Position; float4 color : COLOR; uint layer : SV_RenderTargetArrayIndex; };
V main(float4 position : POSITION, float4 color : COLOR, uint instance : SV_InstanceID) {
  V v;
  v.position = position;
  v.color = color * (instance + 1);
  v.layer = instance;
  return v;
}
