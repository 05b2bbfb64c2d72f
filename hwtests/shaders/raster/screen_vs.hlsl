// dxc: -T vs_6_0 -E main
// A triangle over the whole target, and where in a unit square each pixel is.
void main(uint id : SV_VertexID, out float2 uv : UV, out float4 position : SV_Position) {
  uv = float2((id << 1) & 2, id & 2);
  position = float4(uv * float2(2, -2) + float2(-1, 1), 0, 1);
}
