// dxc: -T lib_6_5
// Hit objects of NVAPI in a selection, in an array at a computed index, and from one round of a loop to the next.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpTypeArray $object
// check: $pa = OpTypePointer Function $array
// check: $objects = OpVariable $pa Function
// check: $first = OpAccessChain $p $objects $zero
// check: OpHitObjectTraceRayNV $first
// check: $second = OpAccessChain $p $objects $one
// check: OpHitObjectRecordMissNV $second
// check: $chosen = OpSelect $uint $condition $zero $one
// check: $choice = OpAccessChain $p $objects $chosen
// check: OpReorderThreadWithHitObjectNV $choice
// check: $held = OpPhi $uint $zero $a $free $b
// check: $free = OpExtInst $uint $glsl FindILsb $unused
// check: OpHitObjectExecuteShaderNV
// count: 1 FindILsb
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
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0.01f;
  ray.TMax = 1e4f;
  Payload payload = { 0, 0, 0, 0 };
  uint hits[2];
  hits[0] = trace(ray, 1, payload);
  ray.Direction.x = 1;
  hits[1] = make_miss(ray, 0);
  reorder(Choice > 3 ? hits[0] : hits[1], 0, 0);
  invoke(hits[at & 1], payload);
  uint last = hits[0];
  [loop] for (uint i = 0; i < Choice; i++) {
    ray.Direction.y = i;
    uint hit = trace(ray, 1, payload);
    invoke(last, payload);
    Out[i] = property(74, hit);
    last = hit;
  }
  Out[at] = float4(payload.color, property(73, last));
}
