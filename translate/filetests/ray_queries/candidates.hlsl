// dxc: -T cs_6_5 -E main
// What a query says of the candidate: intersection 0; matrices' elements are row of a column.
// check: OpConstant $uint 0
// check: OpTypeMatrix $vec3 4
// check: OpRayQueryInitializeKHR
// check: OpRayQueryProceedKHR
// check: OpRayQueryGetIntersectionTypeKHR $uint $query $zero
// check: OpRayQueryGetIntersectionTKHR $float $query $zero
// check: OpRayQueryGetIntersectionBarycentricsKHR $vec2 $query $zero
// check: OpRayQueryGetIntersectionFrontFaceKHR $bool $query $zero
// check: OpRayQueryConfirmIntersectionKHR $query
// check: OpRayQueryGetIntersectionCandidateAABBOpaqueKHR $bool $query
// check: OpLogicalNot
// check: OpRayQueryGetIntersectionObjectRayOriginKHR $vec3 $query $zero
// check: OpRayQueryGetIntersectionObjectRayDirectionKHR $vec3 $query $zero
// check: OpRayQueryGetIntersectionObjectToWorldKHR $matrix $query $zero
// check: OpRayQueryGetIntersectionWorldToObjectKHR $matrix $query $zero
// check: OpRayQueryGenerateIntersectionKHR $query
// check: OpRayQueryTerminateKHR $query
// count: 1 OpRayQueryGetIntersectionInstanceIdKHR
// count: 1 OpRayQueryGetIntersectionInstanceCustomIndexKHR
// count: 1 OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR
// count: 1 OpRayQueryGetIntersectionGeometryIndexKHR
// count: 1 OpRayQueryGetIntersectionPrimitiveIndexKHR
RaytracingAccelerationStructure scene : register(t0);
RWByteAddressBuffer result : register(u0);

[numthreads(1, 1, 1)]
void main() {
  RayDesc ray;
  ray.Origin = 0;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  uint place = 0;
  while (query.Proceed()) {
    if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) {
      float t = query.CandidateTriangleRayT();
      float2 weights = query.CandidateTriangleBarycentrics();
      result.Store4(place, uint4(asuint(t), asuint(weights), query.CandidateTriangleFrontFace()));
      query.CommitNonOpaqueTriangleHit();
    } else if (query.CandidateProceduralPrimitiveNonOpaque()) {
      float4 at = float4(query.CandidateObjectRayOrigin() - query.CandidateObjectRayDirection(), 1);
      result.Store(place, asuint(query.CandidateObjectToWorld3x4()._m13 + query.CandidateWorldToObject3x4()._m02));
      query.CommitProceduralPrimitiveHit(at.x);
    } else {
      query.Abort();
    }
    result.Store4(place + 16, uint4(query.CandidateInstanceIndex(), query.CandidateInstanceID(), query.CandidateGeometryIndex(), query.CandidatePrimitiveIndex()));
    result.Store(place + 32, query.CandidateInstanceContributionToHitGroupIndex());
    place += 36;
  }
}
