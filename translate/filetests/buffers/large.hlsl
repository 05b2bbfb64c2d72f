// dxc: -T cs_6_0 -E main
//! options = large_buffers
// The device multiplies indices and strides in 64 bits, and an index beyond 2^31 is not negative.
// check: OpCapability Shader64BitIndexingEXT
// check: OpExtension "SPV_EXT_shader_64bit_indexing"
// check: OpExecutionMode $main Shader64BitIndexingEXT
// check: $long = OpTypeInt 64 0
// count: 2 OpUConvert $long
struct Row { float4 a; float4 b; };
StructuredBuffer<Row> rows : register(t0);
ByteAddressBuffer words : register(t1);
RWStructuredBuffer<float> o : register(u0);
cbuffer K : register(b0) { uint k; float4 values[8]; };
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o[0] = rows[i].a.x + asfloat(words.Load(i * 4)) + values[k].x;
}
