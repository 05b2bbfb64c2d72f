// dxc-newer: -T lib_6_9
// ray flags and pipeline config subobject with opacity micromaps, any hit shader
//! entry = gen
//! targets = vulkan1.3
// Without micromaps a ray cannot ask for two states, and does without.
//! without = OPACITY_MICROMAP OPACITY_MICROMAP_KHR
// check: OpTraceRayKHR
// not:   RayTracingOpacityMicromapEXT
RaytracingPipelineConfig1 cfg = { 2, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS };
RaytracingShaderConfig shaderCfg = { 16, 8 };
TriangleHitGroup foliage = { "cut", "leaf" };
struct [raypayload] Payload { float4 c : read(caller, closesthit, anyhit) : write(caller, closesthit, anyhit, miss); };
RaytracingAccelerationStructure tlas : register(t0);
RWTexture2D<float4> img : register(u0);
Texture2D<float4> atlas : register(t1);
SamplerState samp : register(s0);

[shader("raygeneration")]
void gen() {
  RayDesc r; r.Origin = float3(DispatchRaysIndex()); r.Direction = float3(0, -1, 0); r.TMin = 0; r.TMax = 10;
  Payload p; p.c = 0;
  TraceRay(tlas, RAY_FLAG_FORCE_OMM_2_STATE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES, 0xff, 0, 1, 0, r, p);
  img[DispatchRaysIndex().xy] = p.c;
}
[shader("anyhit")]
void cut(inout Payload p, BuiltInTriangleIntersectionAttributes a) {
  float4 t = atlas.SampleLevel(samp, a.barycentrics, 0);
  p.c.a += t.a;
  if (t.a < 0.25f) IgnoreHit();
  if (p.c.a > 2) AcceptHitAndEndSearch();
}
[shader("closesthit")]
void leaf(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.c.rgb = float3(a.barycentrics, RayTCurrent()); }
[shader("miss")]
void sky(inout Payload p) { p.c = float4(0.2f, 0.4f, 1, 0); }
