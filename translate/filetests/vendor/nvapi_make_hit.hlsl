// dxc: -T lib_6_5
// Hits of NVAPI that no ray made, and the cluster of a hit: NVIDIA's extension has both.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpCapability ShaderInvocationReorderNV
// check: OpExtension "SPV_NV_shader_invocation_reorder"
// check: $object = OpTypeHitObjectNV
// check: OpHitObjectRecordHitNV $hit $scene $instance $primitive $geometry $kind $offset $factor $origin $near $direction $far $attributes
// check: OpHitObjectRecordHitWithIndexNV $other $scene2 $instance $primitive $geometry $kind $record $origin2 $near $direction2 $far $attributes
// check: OpHitObjectExecuteShaderNV
// check: OpHitObjectIsHitNV
// check: OpHitObjectGetClusterIdNV
// not: EXT
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Payload { float3 color; uint depth; };

struct Attributes { float2 position; uint kind; };

uint make_hit(uint number, uint4 place, uint2 record, RayDesc ray, Attributes attributes) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].results = 2;
  Nvapi[index].operand0 = place;
  Nvapi[index].operand1.xy = record;
  uint hit = Nvapi.IncrementCounter();
  uint call = Nvapi.IncrementCounter();
  CallShader(call, attributes);
  Payload nothing;
  TraceRay(Scene, 0, 0, 0, 0, call, ray, nothing);
  return hit;
}

uint property(uint number, uint hit) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = hit;
  return Nvapi.IncrementCounter();
}

void invoke(uint hit, inout Payload payload) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 72;
  Nvapi[index].operand0.x = hit;
  uint call = Nvapi.IncrementCounter();
  TraceRay(Scene, 0, 0, 0, 0, call, (RayDesc)0, payload);
}

[shader("raygeneration")]
void gen() {
  uint at = DispatchRaysIndex().x;
  RayDesc ray = { float3(1, 2, 3), 0.5f, float3(0, 0, 1), 100.0f };
  Attributes attributes = { float2(0.25f, 0.5f), 7 };
  Payload payload = { 0, 0, 0, 0 };
  uint hit = make_hit(68, uint4(1, 2, 3, 4), uint2(5, 6), ray, attributes);
  invoke(hit, payload);
  uint other = make_hit(69, uint4(1, 2, 3, 4), 9, ray, attributes);
  invoke(other, payload);
  Out[at] = property(96, hit) + property(81, other);
}
