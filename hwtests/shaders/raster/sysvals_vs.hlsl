// dxc: -T vs_6_0 -E main
// One pixel-sized point per vertex; its number and its instance's count from 0 in every draw.
struct O { float4 pos : SV_Position; nointerpolation uint2 ids : IDS; float4 data : DATA; };
O main(uint id : SV_VertexID, uint instance : SV_InstanceID, float4 data : DATA) {
  O o;
  o.pos = float4((id + 0.5) / 4 - 1, 1 - (instance + 0.5), 0.25, 1);
  o.ids = uint2(id, instance);
  o.data = data;
  return o;
}
