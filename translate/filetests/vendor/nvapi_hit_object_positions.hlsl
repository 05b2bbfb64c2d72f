// dxc: -T lib_6_5
// The positions of a hit object's triangle are those of SPV_EXT_shader_invocation_reorder.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
//! without = INVOCATION_REORDER_NV
// check: OpCapability ShaderInvocationReorderEXT
// check: OpExtension "SPV_KHR_ray_tracing_position_fetch"
// check: $corners = OpHitObjectGetIntersectionTriangleVertexPositionsEXT $ty $object
// check: OpCompositeExtract $float $all 2 2
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<float> Out : register(u0);

void property(uint number, uint hit, uint at, uint words) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = hit;
  [unroll] for (uint i = 0; i < words; ++i)
    Out[at + i] = asfloat(Nvapi.IncrementCounter());
}

[shader("raygeneration")]
void gen() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 85;
  uint hit = Nvapi.IncrementCounter();
  property(99, hit, 0, 9);
}
