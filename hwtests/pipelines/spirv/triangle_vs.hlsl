// dxc-spirv: -T vs_6_0 -E main
// A vertex shader whose inputs have locations.
struct Corner {
  float2 place : POSITION;
  float4 colour : COLOR;
};

void main(Corner corner, out float4 position : SV_Position, out float4 colour : COLOR) {
  position = float4(corner.place, 0.5, 1);
  colour = corner.colour;
}
