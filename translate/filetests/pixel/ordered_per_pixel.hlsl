// dxc: -T ps_6_0 -E main
// A shader that runs per pixel is ordered per pixel.
// check: OpCapability FragmentShaderPixelInterlockEXT
// check: OpExecutionMode $main PixelInterlockOrderedEXT
// not: SampleRateShading
RasterizerOrderedBuffer<uint> u : register(u0);

void main(float4 position : SV_Position) {
  u[uint(position.x)] += 1;
}
