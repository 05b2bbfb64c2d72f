struct Output { float4 color : COLOR; float4 position : SV_Position; };
Output main(uint id : SV_VertexID) {
  Output o;
  float x = id == 2 ? 3 : -1;
  float y = id == 1 ? 3 : -1;
  o.position = float4(x, y, 0.5, 1);
  o.color = float4((x + 1) / 2, (y + 1) / 2, 0, 1);
  return o;
}
