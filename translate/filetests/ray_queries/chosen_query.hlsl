// dxc: -T cs_6_5 -E main
// Queries in an array that is indexed at run time: all queries of the module are one array.
// check: OpTypeArray $query
// check: OpVariable $pointer Private
// check: OpAccessChain
// check: OpRayQueryInitializeKHR
// not: OpVariable $pointer Function $query
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayQuery<RAY_FLAG_FORCE_OPAQUE> queries[3];
  RayDesc ray;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  [loop] for (uint i = 0; i < 3; i++) {
    ray.Origin = float3(id, i, 0);
    queries[i].TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  }
  [loop] for (uint k = 0; k < 3; k++) queries[k].Proceed();
  result[id] = queries[id % 3].CommittedStatus();
}
