// dxc: -T cs_6_5 -E main
// Queries in an array that is indexed at run time, in arrays of scenes, with all of them alive at once.
RaytracingAccelerationStructure scenes[3] : register(t0);
RWStructuredBuffer<float3> distances : register(u0);
cbuffer C : register(b0) { uint turn; };

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RayQuery<RAY_FLAG_FORCE_OPAQUE> queries[3];
  RayDesc ray;
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  [loop] for (uint i = 0; i < 3; i++) {
    ray.Origin = float3(id % 4 + 0.25, id / 4 + 0.25, -10 * float(i));
    queries[(i + turn) % 3].TraceRayInline(scenes[NonUniformResourceIndex((i + id) % 3)], RAY_FLAG_NONE, 0xff, ray);
  }
  [loop] for (uint k = 0; k < 3; k++) queries[k].Proceed();
  float found[3];
  [loop] for (uint m = 0; m < 3; m++) {
    uint which = (m + turn) % 3;
    found[m] = -1;
    if (queries[which].CommittedStatus() == COMMITTED_TRIANGLE_HIT) found[m] = queries[which].CommittedRayT();
  }
  distances[id] = float3(found[0], found[1], found[2]);
}
