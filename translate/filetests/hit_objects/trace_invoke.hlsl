// dxc-newer: -T lib_6_9
// dx::HitObject TraceRay, MaybeReorderThread and Invoke with a closest hit and a miss shader
//! entry = gen
//! targets = vulkan1.3
// check: OpHitObjectTraceRayEXT $object $scene $flags $mask $offset $stride $miss $origin $near $direction $far $payload
// check: OpReorderThreadWithHitObjectEXT $object
// check: OpHitObjectExecuteShaderEXT $object $payload
struct [raypayload] Payload { float3 c : read(caller) : write(closesthit, miss, caller); uint depth : read(closesthit) : write(caller); };
RaytracingAccelerationStructure tlas : register(t0);
RWTexture2D<float4> img : register(u0);
cbuffer C : register(b0) { float4x4 inv; };

[shader("raygeneration")]
void gen() {
  uint2 at = DispatchRaysIndex().xy;
  float2 d = (float2(at) + 0.5f) / float2(DispatchRaysDimensions().xy) * 2 - 1;
  float4 t = mul(inv, float4(d, 1, 1));
  RayDesc r; r.Origin = 0; r.Direction = normalize(t.xyz / t.w); r.TMin = 0.01f; r.TMax = 1e4f;
  Payload p; p.c = 0; p.depth = 0;
  dx::HitObject h = dx::HitObject::TraceRay(tlas, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, r, p);
  dx::MaybeReorderThread(h, h.IsHit() ? h.GetInstanceID() & 3 : 0, 2);
  dx::HitObject::Invoke(h, p);
  img[at] = float4(p.c, h.IsMiss() ? 0 : 1);
}
[shader("closesthit")]
void hit(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.c = float3(a.barycentrics, p.depth); }
[shader("miss")]
void miss(inout Payload p) { p.c = WorldRayDirection() * 0.5f + 0.5f; }
