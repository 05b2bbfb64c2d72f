// dxc: -T vs_6_0 -E main
// check: OpEntryPoint Vertex
// check: BuiltIn Position
// check: OpISub
struct In { float3 pos : POSITION; float2 uv : TEXCOORD0; uint4 bones : BONES; float4 color[2] : COLOR; };
struct Out { float4 pos : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint id : ID; float3 color : COLOR; float4 rows[2] : ROWS; };
Out main(In i, uint vid : SV_VertexID, uint iid : SV_InstanceID) {
  Out o;
  o.pos = float4(i.pos + vid, 1);
  o.uv = i.uv;
  o.id = iid + i.bones.y;
  o.color = i.color[iid & 1].rgb;
  o.rows[0] = i.color[0];
  o.rows[1] = i.color[1];
  return o;
}
