// dxc-newer: -T lib_6_9
// every dx::HitObject accessor, on traced, made-miss and nop objects
//! entry = gen
//! targets = vulkan1.3
// check: OpCapability ShaderInvocationReorderEXT
// check: OpExtension "SPV_EXT_shader_invocation_reorder"
// check: OpEntryPoint RayGenerationKHR $main "gen"
// check: OpHitObjectTraceRayEXT $traced
// check: $hit = OpHitObjectIsHitEXT $bool $traced
// check: OpHitObjectIsEmptyEXT
// check: OpHitObjectGetRayFlagsEXT $uint $traced
// check: OpHitObjectGetInstanceCustomIndexEXT
// check: OpHitObjectGetAttributesEXT $traced $attributes
// check: OpHitObjectRecordMissEXT
// check: OpHitObjectRecordEmptyEXT
RaytracingAccelerationStructure tlas : register(t0);
RWByteAddressBuffer log_ : register(u0);
struct [raypayload] Payload { uint x : read(caller) : write(caller); };
struct Attr { float2 uv; uint id; };

void dump(dx::HitObject h, uint at) {
  log_.Store4(at, uint4(h.IsHit(), h.IsMiss(), h.IsNop(), h.GetRayFlags()));
  log_.Store4(at + 16, uint4(asuint(h.GetRayTMin()), asuint(h.GetRayTCurrent()), h.GetShaderTableIndex(), h.GetHitKind()));
  log_.Store3(at + 32, asuint(h.GetWorldRayOrigin() + h.GetWorldRayDirection()));
  log_.Store3(at + 44, asuint(h.GetObjectRayOrigin() - h.GetObjectRayDirection()));
  float3x4 o = h.GetObjectToWorld3x4();
  float4x3 w = h.GetWorldToObject4x3();
  log_.Store4(at + 56, asuint(mul(o, float4(1, 2, 3, 4)).xyzz + float4(mul(float4(1, 0, 1, 0), w), 1)));
  log_.Store4(at + 72, uint4(h.GetGeometryIndex(), h.GetInstanceIndex(), h.GetInstanceID(), h.GetPrimitiveIndex()));
  Attr a;
  h.GetAttributes(a);
  log_.Store3(at + 88, uint3(asuint(a.uv), a.id));
}
[shader("raygeneration")]
void gen() {
  RayDesc r; r.Origin = float3(0, 1, 0); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
  Payload p; p.x = 1;
  uint base = DispatchRaysIndex().x * 512;
  dump(dx::HitObject::TraceRay(tlas, RAY_FLAG_NONE, 1, 0, 0, 0, r, p), base);
  dump(dx::HitObject::MakeMiss(RAY_FLAG_NONE, 2, r), base + 128);
  dump(dx::HitObject::MakeNop(), base + 256);
}
