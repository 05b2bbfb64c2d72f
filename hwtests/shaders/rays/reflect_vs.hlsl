// dxc: -T vs_6_5 -E main
// A triangle over the whole target; the vertex shader asks whether a ray down the middle meets the scene.
RaytracingAccelerationStructure scene : register(t0);

struct Out {
  float4 position : SV_Position;
  float2 place : PLACE;
  nointerpolation float depth : DEPTH;
};

Out main(uint vertex : SV_VertexID) {
  RayDesc ray;
  ray.Origin = float3(0.25, 0.25, -3);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
  query.Proceed();
  Out o;
  o.place = float2(vertex == 1 ? 8 : 0, vertex == 2 ? 8 : 0);
  o.position = float4(o.place.x / 2 - 1, 1 - o.place.y / 2, 0, 1);
  o.depth = query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? query.CommittedRayT() : -1;
  return o;
}
