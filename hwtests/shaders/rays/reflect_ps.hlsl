// dxc: -T ps_6_5 -E main
// Every pixel sends a ray.
RaytracingAccelerationStructure scene : register(t0);

float4 main(float4 position : SV_Position, float2 place : PLACE, nointerpolation float depth : DEPTH) : SV_Target {
  RayDesc ray;
  ray.Origin = float3(floor(position.xy) + 0.25, -3);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  RayQuery<RAY_FLAG_SKIP_CLOSEST_HIT_SHADER> query;
  query.TraceRayInline(scene, RAY_FLAG_FORCE_OPAQUE, 0xff, ray);
  query.Proceed();
  if (query.CommittedStatus() != COMMITTED_TRIANGLE_HIT) return float4(0, 0, 0, depth);
  return float4(query.CommittedRayT(), query.CommittedTriangleBarycentrics(), depth);
}
