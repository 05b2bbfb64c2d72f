// dxc: -T ps_6_0 -E main
struct O { float4 pos : SV_Position; nointerpolation uint2 ids : IDS; float4 data : DATA; };
float4 main(O o, uint primitive : SV_PrimitiveID) : SV_Target {
  return float4(o.ids, o.data.x, primitive * 100 + o.pos.x);
}
