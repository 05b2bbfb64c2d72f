// dxc: -T cs_6_5 -E main
// The clusters of a query's candidate and committed hit. The query is the one whose flags are the
// operand.
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpCapability RayTracingClusterAccelerationStructureNV
// check: OpExtension "SPV_NV_cluster_acceleration_structure"
// check: = OpRayQueryGetIntersectionClusterIdNV $uint $query $candidate
// check: = OpRayQueryGetIntersectionClusterIdNV $uint $query $committed
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<uint> Out : register(u0);
RaytracingAccelerationStructure Scene : register(t0);

uint cluster(uint number, uint flags) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = flags;
  return Nvapi.IncrementCounter();
}

[numthreads(1, 1, 1)]
void main() {
  RayDesc ray = {float3(0, 0, 0), 0, float3(0, 0, 1), 100};
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(Scene, 0, 255, ray);
  query.Proceed();
  if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE)
    Out[0] = cluster(94, query.RayFlags());
  if (query.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
    Out[1] = cluster(95, query.RayFlags());
}
