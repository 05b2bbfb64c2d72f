// dxc: -T cs_6_5 -E main
// All candidates of each ray, none of which is committed: sums do not depend on their order.
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
RWStructuredBuffer<Sum> sums : register(u0);
RWStructuredBuffer<FloatSum> float_sums : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Ray r = rays[id];
  RayDesc desc = {r.origin, r.t_min, r.direction, r.t_max};
  RayQuery<RAY_FLAG_NONE> query;
  query.TraceRayInline(scene, r.flags, r.mask, desc);
  Sum sum = (Sum)0;
  FloatSum floats = (FloatSum)0;
  while (query.Proceed()) {
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
