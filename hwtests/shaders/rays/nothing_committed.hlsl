// dxc: -T cs_6_5 -E main
// What a query says of a hit that there is not: any numbers, but it must not harm.
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<uint> statuses : register(u0);
RWStructuredBuffer<float> anything : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayDesc ray;
  ray.Origin = float3(id % 4 + 0.25, id / 4 + 0.25, -3);
  ray.Direction = float3(0, 0, -1);
  ray.TMin = 0;
  ray.TMax = 100;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  statuses[id] = query.CommittedStatus();
  float3 sum = query.CommittedObjectRayOrigin() + query.CommittedObjectRayDirection();
  sum += mul(query.CommittedObjectToWorld3x4(), float4(1, 1, 1, 1)) + mul(query.CommittedWorldToObject3x4(), float4(1, 1, 1, 1));
  uint all = query.CommittedInstanceIndex() + query.CommittedInstanceID() + query.CommittedGeometryIndex() + query.CommittedPrimitiveIndex();
  all += query.CommittedInstanceContributionToHitGroupIndex() + query.CommittedTriangleFrontFace();
  anything[id] = sum.x + sum.y + sum.z + all + query.CommittedRayT() + query.CommittedTriangleBarycentrics().x;
}
