// dxc: -T cs_6_6 -E main
// Acceleration structures straight from the descriptor heap.
RWStructuredBuffer<float> distances : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RaytracingAccelerationStructure scene = ResourceDescriptorHeap[NonUniformResourceIndex(1 + id % 2)];
  RayDesc ray;
  ray.Origin = float3(id % 4 + 0.25, id / 4 + 0.25, -3);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  RayQuery<RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
  query.TraceRayInline(scene, RAY_FLAG_FORCE_OPAQUE, 0xff, ray);
  query.Proceed();
  float t = query.CommittedRayT();
  distances[id] = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? t : -1;
}
