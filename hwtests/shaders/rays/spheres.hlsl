// dxc: -T cs_6_5 -E main
// Boxes hold spheres, which the shader meets itself; triangles are hit in one half only. A ray in `first_only`
// stops at its first hit.
struct Ray {
  float3 origin;
  float t_min;
  float3 direction;
  float t_max;
  uint mask;
  uint first_only;
};
RaytracingAccelerationStructure scene : register(t0);
StructuredBuffer<Ray> rays : register(t1);
StructuredBuffer<float4> spheres : register(t2);
RWStructuredBuffer<uint4> hits : register(u0);
RWStructuredBuffer<float> distances : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Ray r = rays[id];
  RayDesc desc = {r.origin, r.t_min, r.direction, r.t_max};
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, r.mask, desc);
  bool met = false;
  while (query.Proceed()) {
    switch (query.CandidateType()) {
      case CANDIDATE_PROCEDURAL_PRIMITIVE: {
        float4 sphere = spheres[query.CandidatePrimitiveIndex()];
        float3 from = query.CandidateObjectRayOrigin() - sphere.xyz;
        float3 along = query.CandidateObjectRayDirection();
        float a = dot(along, along), b = dot(from, along), c = dot(from, from) - sphere.w * sphere.w;
        float below = b * b - a * c;
        float t = (-b - sqrt(below)) / a;
        if (below > 0 && t > query.RayTMin() && t < query.CommittedRayT()) {
          query.CommitProceduralPrimitiveHit(t);
          met = true;
        }
        break;
      }
      case CANDIDATE_NON_OPAQUE_TRIANGLE:
        if (query.CandidateTriangleBarycentrics().x < 0.5) {
          query.CommitNonOpaqueTriangleHit();
          met = true;
        }
        break;
    }
    if (met && r.first_only) query.Abort();
  }
  uint status = query.CommittedStatus();
  if (r.first_only) {
    // Which one it is depends on the order; no more come.
    hits[id] = uint4(status != COMMITTED_NOTHING, 0, 0, 0);
    distances[id] = 0;
  } else if (status == COMMITTED_NOTHING) {
    hits[id] = 0;
    distances[id] = -1;
  } else {
    hits[id] = uint4(status, query.CommittedInstanceIndex(), query.CommittedInstanceID(), query.CommittedPrimitiveIndex());
    distances[id] = query.CommittedRayT();
  }
}
