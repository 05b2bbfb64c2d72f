// dxc: -T lib_6_5
// Functions take and return hit objects of NVAPI: they are inlined.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpHitObjectTraceRayNV
// check: OpHitObjectRecordMissNV
// check: OpHitObjectExecuteShaderNV
// not: OpFunctionCall
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

[noinline] uint trace(RayDesc ray, uint miss, inout Payload payload) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 67;
  Nvapi[index].results = 2;
  Nvapi[index].operand0.x = miss;
  uint hit = Nvapi.IncrementCounter();
  uint call = Nvapi.IncrementCounter();
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, call, ray, payload);
  return hit;
}

[noinline] uint make_miss(RayDesc ray, uint miss) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 70;
  Nvapi[index].operand0.x = miss;
  Nvapi[index].operand0.y = asuint(ray.TMin);
  Nvapi[index].operand0.z = asuint(ray.TMax);
  Nvapi[index].operand1.xyz = asuint(ray.Origin);
  Nvapi[index].operand2.xyz = asuint(ray.Direction);
  return Nvapi.IncrementCounter();
}

[noinline] uint property(uint number, uint hit) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = hit;
  return Nvapi.IncrementCounter();
}

[noinline] void invoke(uint hit, inout Payload payload) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 72;
  Nvapi[index].operand0.x = hit;
  uint call = Nvapi.IncrementCounter();
  TraceRay(Scene, 0, 0, 0, 0, call, (RayDesc)0, payload);
}

// Passes a handle on, and has no operation of its own.
[noinline] uint shade(uint hit, inout Payload payload) {
  payload.depth++;
  invoke(hit, payload);
  return property(74, hit);
}

[shader("raygeneration")]
void gen() {
  uint at = DispatchRaysIndex().x;
  RayDesc ray;
  ray.Origin = 0;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0.01f;
  ray.TMax = 1e4f;
  Payload payload = { 0, 0, 0, 0 };
  uint hit;
  [branch] if (Choice == at) hit = trace(ray, 1, payload); else hit = make_miss(ray, 0);
  Out[at] = float4(payload.color, shade(hit, payload));
}
