// dxc: -T cs_6_5 -E main
// Acceleration structures as descriptors, behind a root descriptor's address, in an array, and in a table of
// addresses.
//! bind = t1 address 2
//! bind = t2 table 4 5 100 6 3 1
// check: OpCapability RayQueryKHR
// check: OpExtension "SPV_KHR_ray_query"
// check: OpTypeAccelerationStructureKHR
// count: 2 OpVariable $pointer UniformConstant
// count: 2 OpConvertUToAccelerationStructureKHR
// count: 4 OpRayQueryInitializeKHR
// count: 1 OpTypeRayQueryKHR
// not: SampledImageArrayNonUniformIndexing
// not: PhysicalStorageBufferAddresses
RaytracingAccelerationStructure bound : register(t0);
RaytracingAccelerationStructure root : register(t1);
RaytracingAccelerationStructure table[8] : register(t2);
RaytracingAccelerationStructure several[4] : register(t0, space1);
RWStructuredBuffer<uint> result : register(u0);

uint hits(RaytracingAccelerationStructure structure, uint id) {
  RayDesc ray;
  ray.Origin = float3(id, 0, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(structure, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  return query.CommittedStatus() == COMMITTED_TRIANGLE_HIT;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  result[id] = hits(bound, id) + 2 * hits(root, id) + 4 * hits(table[id & 7], id) + 8 * hits(several[NonUniformResourceIndex(id & 3)], id);
}
