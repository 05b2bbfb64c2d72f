// dxc: -T cs_6_5 -E main
// What a query's ray hit, and a sphere that becomes its hit.
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpCapability RayTracingSpheresGeometryNV
// check: OpCapability RayTracingLinearSweptSpheresGeometryNV
// check: OpCapability RayQueryPositionFetchKHR
// check: OpExtension "SPV_NV_linear_swept_spheres"
// check: OpExtension "SPV_KHR_ray_tracing_position_fetch"
// check: $sphere = OpRayQueryIsSphereHitNV $bool $query $candidate
// check: OpSelect $uint $sphere
// check: $center = OpRayQueryGetIntersectionSpherePositionNV $vector $query $candidate
// check: $radius = OpRayQueryGetIntersectionSphereRadiusNV $float $query $candidate
// check: = OpRayQueryGetIntersectionTKHR $float $query $candidate
// check: OpRayQueryConfirmIntersectionKHR $query
// check: $where = OpRayQueryGetIntersectionLSSHitValueNV $float $query $committed
// check: $ends = OpRayQueryGetIntersectionLSSPositionsNV $ends_ty $query $committed
// check: OpCompositeExtract $float $ends 1 2
// check: $radii = OpRayQueryGetIntersectionLSSRadiiNV $radii_ty $query $committed
// check: OpCompositeExtract $float $radii 1
// check: $corners = OpRayQueryGetIntersectionTriangleVertexPositionsKHR $corners_ty $query $committed
// check: OpCompositeExtract $float $corners 2 2
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<float> Out : register(u0);
RaytracingAccelerationStructure Scene : register(t0);

void property(uint number, uint flags, uint at, uint words) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = flags;
  [unroll] for (uint i = 0; i < words; ++i)
    Out[at + i] = asfloat(Nvapi.IncrementCounter());
}

[numthreads(1, 1, 1)]
void main() {
  RayDesc ray = {float3(0, 0, 0), 0, float3(0, 0, 1), 100};
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(Scene, 0, 255, ray);
  query.Proceed();
  property(109, query.RayFlags(), 0, 1);
  property(101, query.RayFlags(), 1, 4);
  property(118, query.RayFlags(), 5, 1);
  property(119, query.RayFlags(), 6, 1);
  property(117, query.RayFlags(), 7, 1);
  property(106, query.RayFlags(), 8, 8);
  property(98, query.RayFlags(), 16, 9);
}
