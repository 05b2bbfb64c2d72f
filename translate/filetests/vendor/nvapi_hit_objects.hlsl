// dxc: -T lib_6_5
// Hit objects of NVAPI: handles become objects, phis of handles phis of objects.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
//! without = INVOCATION_REORDER_NV
// check: OpCapability ShaderInvocationReorderEXT
// check: OpHitObjectTraceRayEXT $object $scene $flags $mask $offset $stride $miss $origin $near $direction $far $payload
// check: OpHitObjectRecordMissEXT $object
// check: OpHitObjectGetInstanceCustomIndexEXT
// check: OpReorderThreadWithHitObjectEXT $object
// check: OpHitObjectExecuteShaderEXT $object $payload
// check: OpHitObjectGetWorldRayDirectionEXT
// check: OpHitObjectGetAttributesEXT
// not: OpTraceRayKHR
// not: OpExecuteCallableKHR
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
cbuffer Constants : register(b0) { uint Choice; float4x4 View; };

struct Payload { float3 color; uint depth; };

uint trace(RayDesc ray, uint miss, inout Payload payload) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 67;
  Nvapi[index].results = 2;
  Nvapi[index].operand0.x = miss;
  uint hit = Nvapi.IncrementCounter();
  uint call = Nvapi.IncrementCounter();
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, call, ray, payload);
  return hit;
}

uint make_miss(RayDesc ray, uint miss) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 70;
  Nvapi[index].operand0.x = miss;
  Nvapi[index].operand0.y = asuint(ray.TMin);
  Nvapi[index].operand0.z = asuint(ray.TMax);
  Nvapi[index].operand1.xyz = asuint(ray.Origin);
  Nvapi[index].operand2.xyz = asuint(ray.Direction);
  return Nvapi.IncrementCounter();
}

void reorder(uint hit, uint hint, uint bits) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 71;
  Nvapi[index].operand0 = uint4(1, hit, hint, bits);
  Nvapi.IncrementCounter();
}

uint property(uint number, uint hit) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = hit;
  return Nvapi.IncrementCounter();
}

float3 direction(uint hit) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 79;
  Nvapi[index].operand0.x = hit;
  Nvapi.IncrementCounter(); Nvapi.IncrementCounter();
  Nvapi.IncrementCounter(); Nvapi.IncrementCounter(); Nvapi.IncrementCounter();
  uint x = Nvapi.IncrementCounter(), y = Nvapi.IncrementCounter(), z = Nvapi.IncrementCounter();
  return asfloat(uint3(x, y, z));
}

float2 attributes(uint hit) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 80;
  Nvapi[index].operand0.x = hit;
  uint call = Nvapi.IncrementCounter();
  BuiltInTriangleIntersectionAttributes found;
  CallShader(call, found);
  return found.barycentrics;
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
  RayDesc ray;
  ray.Origin = 0;
  ray.Direction = normalize(mul(View, float4(at, 1, 1, 1)).xyz);
  ray.TMin = 0.01f;
  ray.TMax = 1e4f;
  Payload payload;
  payload.color = 0;
  payload.depth = 0;
  uint hit;
  [branch] if (Choice == at) {
    hit = trace(ray, 1, payload);
    payload.depth = 1;
  } else {
    hit = make_miss(ray, 0);
  }
  reorder(hit, property(83, hit) ? property(74, hit) & 3 : 0, 2);
  invoke(hit, payload);
  Out[at] = float4(payload.color + direction(hit), property(73, hit) ? 0 : attributes(hit).x);
}
