// dxc: -T cs_6_0 -E main
// Elements of three words are rows of three where the device takes them without padding: one load, one store.
// check: OpDecorate $array ArrayStride 12
// check: $word = OpTypeFloat 32
// check: $row = OpTypeVector $word 3
// check: $array = OpTypeRuntimeArray $row
// check: OpLoad $row
// check: OpStore
// count: 1 OpStore
StructuredBuffer<float3> input : register(t0);
RWStructuredBuffer<float3> output : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  output[id.x] = input[id.x ^ 1] * 2;
}
