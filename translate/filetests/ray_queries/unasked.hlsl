// dxc: -T cs_6_5 -E main
// `?:` of old HLSL evaluates both sides: without a hit the instance is not looked at. Behind a branch on the
// status, and of what lies in the query itself, nothing is asked again.
// check: OpRayQueryInitializeKHR $query
// check: OpRayQueryGetIntersectionTypeKHR $uint $query $one
// check: OpSelectionMerge $merge None
// check: OpBranchConditional $there $then $merge
// check: $then = OpLabel
// check: OpRayQueryGetIntersectionInstanceCustomIndexKHR
// check: $merge = OpLabel
// check: OpPhi
// count: 1 OpRayQueryGetIntersectionInstanceCustomIndexKHR
// count: 1 OpRayQueryGetIntersectionObjectRayOriginKHR
// count: 1 OpRayQueryGetIntersectionInstanceIdKHR
// count: 3 OpRayQueryGetIntersectionTypeKHR
// count: 3 OpSelectionMerge
RaytracingAccelerationStructure scene : register(t0);
RWByteAddressBuffer result : register(u0);

[numthreads(1, 1, 1)]
void main() {
  RayDesc ray;
  ray.Origin = 0;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  bool hit = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT;
  result.Store(0, hit ? query.CommittedInstanceID() : 7);
  result.Store3(4, asuint(query.CommittedObjectRayOrigin()));
  result.Store(16, asuint(hit ? query.CommittedRayT() : -1));
  if (query.CommittedStatus() != COMMITTED_NOTHING) result.Store(20, query.CommittedInstanceIndex());
}
