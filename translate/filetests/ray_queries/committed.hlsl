// dxc: -T ps_6_5 -E main
// What a query says of the hit: intersection 1; and what it was asked.
// check: OpConstant $uint 1
// check: OpRayQueryGetIntersectionTypeKHR $uint $query $one
// check: OpRayQueryGetIntersectionTKHR $float $query $one
// check: OpRayQueryGetIntersectionBarycentricsKHR $vec2 $query $one
// check: OpRayQueryGetIntersectionFrontFaceKHR $bool $query $one
// check: OpRayQueryGetIntersectionInstanceIdKHR $uint $query $one
// check: OpRayQueryGetIntersectionInstanceCustomIndexKHR $uint $query $one
// check: OpRayQueryGetIntersectionGeometryIndexKHR $uint $query $one
// check: OpRayQueryGetIntersectionPrimitiveIndexKHR $uint $query $one
// check: OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR $uint $query $one
// check: OpRayQueryGetIntersectionObjectRayOriginKHR $vec3 $query $one
// check: OpRayQueryGetIntersectionObjectRayDirectionKHR $vec3 $query $one
// check: OpRayQueryGetIntersectionObjectToWorldKHR $matrix $query $one
// check: OpRayQueryGetIntersectionWorldToObjectKHR $matrix $query $one
// check: OpRayQueryGetRayFlagsKHR $uint $query
// check: OpRayQueryGetRayTMinKHR $float $query
// check: OpRayQueryGetWorldRayOriginKHR $vec3 $query
// check: OpRayQueryGetWorldRayDirectionKHR $vec3 $query
RaytracingAccelerationStructure scene : register(t0);
RWByteAddressBuffer result : register(u0);

float4 main(float4 position : SV_Position) : SV_Target {
  RayDesc ray;
  ray.Origin = position.xyz;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  if (query.CommittedStatus() != COMMITTED_TRIANGLE_HIT) return 0;
  result.Store4(0, uint4(asuint(query.CommittedRayT()), asuint(query.CommittedTriangleBarycentrics()), query.CommittedTriangleFrontFace()));
  result.Store4(16, uint4(query.CommittedInstanceIndex(), query.CommittedInstanceID(), query.CommittedGeometryIndex(), query.CommittedPrimitiveIndex()));
  result.Store(32, query.CommittedInstanceContributionToHitGroupIndex());
  result.Store3(36, asuint(query.CommittedObjectRayOrigin()));
  result.Store3(48, asuint(query.CommittedObjectRayDirection()));
  result.Store(60, asuint(query.CommittedObjectToWorld3x4()._m23 + query.CommittedWorldToObject4x3()._m01));
  result.Store2(64, uint2(query.RayFlags(), asuint(query.RayTMin())));
  return float4(query.WorldRayOrigin() + query.WorldRayDirection(), 1);
}
