// dxc: -T cs_6_5 -E main
// An acceleration structure that a root descriptor names by its address.
#define SIGNATURE "SRV(t0), UAV(u0)"
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<float> distances : register(u0);

[RootSignature(SIGNATURE)]
[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayDesc ray;
  ray.Origin = float3(id % 4 + 0.25, id / 4 + 0.25, -3);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  while (query.Proceed());
  distances[id] = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? query.CommittedRayT() : -1;
}
