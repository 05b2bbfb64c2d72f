// dxc: -T vs_6_0 -E main
// Passes a position and a colour on. The buffer's second attribute is found by its semantic.
struct Vertex {
  float4 position : SV_Position;
  float4 color : COLOR;
};

Vertex main(float2 position : POSITION, float4 color : COLOR) {
  Vertex vertex;
  vertex.position = float4(position, 0.25, 1);
  vertex.color = color;
  return vertex;
}
