// dxc: -T cs_6_5 -E main
// Queries that are taken as they are allocated are variables of their function; flags of the type and of the
// call come together.
// check: OpConstant $uint 5
// check: OpVariable $pointer Function
// check: OpVariable $pointer Function
// check: OpRayQueryInitializeKHR $first $structure $five
// check: OpBitwiseOr $uint
// check: OpRayQueryInitializeKHR
// count: 3 OpRayQueryProceedKHR
// count: 1 OpRayQueryConfirmIntersectionKHR
// not: Private
// not: Micromap
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<float2> result : register(u0);
cbuffer C : register(b0) { uint flags; };

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayDesc ray;
  ray.Origin = float3(id, 0, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> a;
  RayQuery<RAY_FLAG_CULL_OPAQUE> b;
  a.TraceRayInline(scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, ray);
  b.TraceRayInline(scene, flags, 0x0f, ray);
  a.Proceed();
  while (b.Proceed()) b.CommitNonOpaqueTriangleHit();
  result[id] = float2(a.CommittedStatus() ? a.CommittedRayT() : -1, b.CommittedStatus() ? b.CommittedRayT() : -1);
}
