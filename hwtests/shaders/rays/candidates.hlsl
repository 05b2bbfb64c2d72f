// dxc: -T cs_6_5 -E main
// All candidates of each ray, none of which is committed: sums do not depend on their order. Boxes may be
// candidates of rays that pass by, so the shader looks for itself.
struct Ray {
  float3 origin;
  float t_min;
  float3 direction;
  float t_max;
  uint mask;
  uint flags;
};
struct Sum {
  uint triangles;
  uint boxes;
  uint primitives;
  uint geometries;
  uint instances;
  uint ids;
  uint contributions;
  uint fronts;
  uint opaque_boxes;
  uint status;
};
struct FloatSum {
  float t;
  float2 weights;
  float3 origin;
  float3 direction;
  float3 moved;
  float3 back;
};
RaytracingAccelerationStructure scene : register(t0);
StructuredBuffer<Ray> rays : register(t1);
struct Box {
  float3 low;
  float3 high;
};
StructuredBuffer<Box> boxes : register(t2);
RWStructuredBuffer<Sum> sums : register(u0);
RWStructuredBuffer<FloatSum> float_sums : register(u1);

bool passes(Box box, float3 origin, float3 direction, float t_min, float t_max) {
  float3 a = (box.low - origin) / direction, b = (box.high - origin) / direction;
  float3 first = min(a, b), last = max(a, b);
  float enter = max(max(first.x, first.y), max(first.z, t_min));
  return enter < min(min(last.x, last.y), min(last.z, t_max));
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Ray r = rays[id];
  RayDesc desc = {r.origin, r.t_min, r.direction, r.t_max};
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, r.flags, r.mask, desc);
  Sum sum = (Sum)0;
  FloatSum floats = (FloatSum)0;
  while (query.Proceed()) {
    if (query.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) {
      Box box = boxes[query.CandidateGeometryIndex() * 4 + query.CandidatePrimitiveIndex()];
      if (!passes(box, query.CandidateObjectRayOrigin(), query.CandidateObjectRayDirection(), r.t_min, r.t_max)) continue;
    }
    sum.primitives += query.CandidatePrimitiveIndex() + 1;
    sum.geometries += query.CandidateGeometryIndex() + 1;
    sum.instances += query.CandidateInstanceIndex() + 1;
    sum.ids += query.CandidateInstanceID();
    sum.contributions += query.CandidateInstanceContributionToHitGroupIndex();
    floats.origin += query.CandidateObjectRayOrigin();
    floats.direction += query.CandidateObjectRayDirection();
    floats.moved += mul(query.CandidateObjectToWorld3x4(), float4(1, 2, 3, 1));
    floats.back += mul(float4(3, 1, 2, 1), query.CandidateWorldToObject4x3());
    if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) {
      sum.triangles++;
      sum.fronts += query.CandidateTriangleFrontFace();
      floats.t += query.CandidateTriangleRayT();
      floats.weights += query.CandidateTriangleBarycentrics();
    } else {
      sum.boxes++;
      sum.opaque_boxes += !query.CandidateProceduralPrimitiveNonOpaque();
    }
  }
  sum.status = query.CommittedStatus();
  sums[id] = sum;
  float_sums[id] = floats;
}
