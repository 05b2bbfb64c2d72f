// dxc: -T lib_6_5
// Flags of a pipeline ask for tier 1.1 of ray tracing, which then all functions do.
RaytracingPipelineConfig1 pc = { 2, RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES };
RaytracingShaderConfig sc = { 8, 8 };
TriangleHitGroup hg = { "", "closest" };
struct Payload { float ao; uint id; };
RaytracingAccelerationStructure tlas : register(t0);
RWBuffer<float> dst : register(u0);

[shader("raygeneration")]
void gen() {
  Payload p; p.ao = 1; p.id = 0;
  RayDesc r; r.Origin = float3(DispatchRaysIndex()); r.Direction = float3(0, -1, 0); r.TMin = 0; r.TMax = 10;
  TraceRay(tlas, RAY_FLAG_NONE, 0xff, 0, 1, 0, r, p);
  dst[DispatchRaysIndex().x] = p.ao + p.id;
}
[shader("closesthit")]
void closest(inout Payload p, in BuiltInTriangleIntersectionAttributes a) {
  p.id = GeometryIndex() * 100 + PrimitiveIndex();
  uint open = 0;
  for (uint i = 0; i < 8; ++i) {
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_FORCE_OPAQUE> q;
    RayDesc r;
    r.Origin = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    r.Direction = normalize(float3((i & 1) - 0.5f, 1, (i >> 1) * 0.25f - 0.5f));
    r.TMin = 0.01f; r.TMax = 1;
    q.TraceRayInline(tlas, RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES, 0xff, r);
    q.Proceed();
    if (q.CommittedStatus() == COMMITTED_NOTHING) ++open;
  }
  p.ao = open / 8.0f;
}
