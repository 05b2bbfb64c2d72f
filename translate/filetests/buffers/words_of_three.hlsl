// dxc: -T cs_6_0 -E main
//! without = SCALAR_BLOCK_LAYOUT
// A device that wants rows of three to be padded gets words.
// check: OpDecorate $array ArrayStride 4
// count: 3 OpStore
StructuredBuffer<float3> input : register(t0);
RWStructuredBuffer<float3> output : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  output[id.x] = input[id.x ^ 1] * 2;
}
