// dxc-newer: -T vs_6_8 -E main
// check: BuiltIn BaseInstance
// check: BuiltIn BaseVertex
// SV_StartVertexLocation and SV_StartInstanceLocation (ExtendedCommandInformation)
struct Draw { uint material; float3 offset; };
StructuredBuffer<Draw> draws : register(t0);
ByteAddressBuffer positions : register(t1);
cbuffer V : register(b0) { float4x4 viewProj; };

void main(uint vid : SV_VertexID, uint iid : SV_InstanceID,
          int baseVertex : SV_StartVertexLocation, uint baseInstance : SV_StartInstanceLocation,
          out float4 pos : SV_Position, out nointerpolation uint mat : MAT) {
  float3 p = asfloat(positions.Load3((vid + baseVertex) * 12));
  Draw d = draws[iid + baseInstance];
  pos = mul(viewProj, float4(p + d.offset, 1));
  mat = d.material;
}
