// dxc: -T ps_6_0 -E main
// A shader that runs per sample is ordered per sample, even if nothing reads what makes it run so.
// check: OpCapability SampleRateShading
// check: OpCapability FragmentShaderSampleInterlockEXT
// check: OpExecutionMode $main SampleInterlockOrderedEXT
// check: OpDecorate $index BuiltIn SampleId
// check: OpBeginInvocationInterlockEXT
// check: OpEndInvocationInterlockEXT
// not: PixelInterlockOrderedEXT
RasterizerOrderedBuffer<uint> u : register(u0);

void main(float4 position : SV_Position, uint index : SV_SampleIndex) {
  u[uint(position.x)] += 1;
}
