// dxc: -T vs_6_0 -E main
// Each instance goes to a layer and a viewport of its own.
struct O { float4 pos : SV_Position; float4 color : COLOR; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; };
O main(uint id : SV_VertexID, uint instance : SV_InstanceID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  o.color = float4(instance + 1, 0, 0, 1);
  o.layer = instance >> 1;
  o.view = instance & 1;
  return o;
}
