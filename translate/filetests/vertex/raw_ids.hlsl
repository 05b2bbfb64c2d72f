// dxc: -T vs_6_0 -E main
//! signature = raw_ids
// not: BaseVertex
// not: BaseInstance
// not: OpISub
// check: BuiltIn InstanceIndex
// check: BuiltIn VertexIndex
float4 main(uint id : SV_VertexID, uint instance : SV_InstanceID) : SV_Position { return float4(id, instance, 0, 1); }
