// dxc: -T ps_6_5 -E main
//! without = RAY_QUERY
// error: rayQuery
RaytracingAccelerationStructure scene : register(t0);

float4 main(float4 position : SV_Position) : SV_Target {
  RayDesc ray;
  ray.Origin = position.xyz;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 10;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  return query.CommittedStatus();
}
