// dxc: -T cs_6_5 -E main
// Sends one ray per thread through a scene and writes all that it found. Boxes are hit where the ray enters them.
struct Ray {
  float3 origin;
  float tmin;
  float3 direction;
  float tmax;
  uint mask;
  uint flags;
  uint2 unused;
};

struct Hit {
  uint status;
  uint instance_id;
  uint instance_index;
  uint geometry;
  uint primitive;
  uint hit_group_offset;
  uint front;
  float t;
  float2 barycentrics;
  float2 unused;
};

RaytracingAccelerationStructure scene : register(t0);
StructuredBuffer<Ray> rays : register(t1);
RWStructuredBuffer<Hit> hits : register(u0);

[numthreads(8, 1, 1)]
void main(uint thread : SV_DispatchThreadID) {
  uint count, stride;
  rays.GetDimensions(count, stride);
  if (thread >= count)
    return;
  Ray r = rays[thread];
  RayDesc desc = { r.origin, r.tmin, r.direction, r.tmax };
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, r.flags, r.mask, desc);
  while (query.Proceed()) {
    if (query.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) {
      // All boxes of the tests are unit cubes around the origin of their instance.
      float3 inverse = 1 / query.CandidateObjectRayDirection();
      float3 a = (-0.5 - query.CandidateObjectRayOrigin()) * inverse;
      float3 b = (0.5 - query.CandidateObjectRayOrigin()) * inverse;
      float3 near = min(a, b), far = max(a, b);
      float enter = max(max(near.x, near.y), max(near.z, r.tmin));
      float leave = min(min(far.x, far.y), min(far.z, query.CommittedRayT()));
      if (enter <= leave)
        query.CommitProceduralPrimitiveHit(enter);
    } else if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) {
      query.CommitNonOpaqueTriangleHit();
    }
  }
  Hit hit = (Hit)0;
  hit.status = query.CommittedStatus();
  hit.t = query.CommittedRayT();
  if (hit.status != COMMITTED_NOTHING) {
    hit.instance_id = query.CommittedInstanceID();
    hit.instance_index = query.CommittedInstanceIndex();
    hit.geometry = query.CommittedGeometryIndex();
    hit.primitive = query.CommittedPrimitiveIndex();
    hit.hit_group_offset = query.CommittedInstanceContributionToHitGroupIndex();
  }
  if (hit.status == COMMITTED_TRIANGLE_HIT) {
    hit.front = query.CommittedTriangleFrontFace();
    hit.barycentrics = query.CommittedTriangleBarycentrics();
  }
  hits[thread] = hit;
}
