// dxc: -T ps_6_5 -E main
// What a mesh node wrote per vertex and per primitive.
float4 main(float4 at : SV_Position, nointerpolation uint2 id : ID, nointerpolation uint l : LINE) : SV_Target {
  return float4(id, l, 1);
}
