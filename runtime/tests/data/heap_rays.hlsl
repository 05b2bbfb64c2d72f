// dxc: -T cs_6_6 -E main
// Acceleration structures and a buffer from the descriptor heap.
[numthreads(2, 1, 1)]
void main(uint thread : SV_DispatchThreadID) {
  RaytracingAccelerationStructure scene = ResourceDescriptorHeap[NonUniformResourceIndex(1 + thread)];
  RWStructuredBuffer<uint2> results = ResourceDescriptorHeap[0];
  RayDesc ray = { float3(0.2, 0.1, 3), 0, float3(0, 0, -1), 50 };
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  results[thread] = uint2(query.CommittedStatus(), asuint(query.CommittedRayT()));
}
