// dxc: -T cs_6_5 -E main
//! without = RAY_PRIMITIVE_CULLING
// error: rayTraversalPrimitiveCulling
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayDesc ray;
  ray.Origin = float3(id, 0, 0);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  result[id] = query.Proceed();
}
