// dxc: -T cs_6_5 -E main
// The nearest hit of each ray, with everything that a query says of a hit and of itself.
struct Ray {
  float3 origin;
  float t_min;
  float3 direction;
  float t_max;
  uint mask;
  uint flags;
};
RaytracingAccelerationStructure scene : register(t0);
StructuredBuffer<Ray> rays : register(t1);
RWStructuredBuffer<uint> words : register(u0);
RWStructuredBuffer<float> floats : register(u1);

void put(uint at, float3 v) {
  floats[at] = v.x;
  floats[at + 1] = v.y;
  floats[at + 2] = v.z;
}

void put(uint at, float3x4 m) {
  for (uint row = 0; row < 3; row++)
    for (uint column = 0; column < 4; column++) floats[at + row * 4 + column] = m[row][column];
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Ray r = rays[id];
  RayDesc desc = {r.origin, r.t_min, r.direction, r.t_max};
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, r.flags, r.mask, desc);
  // One call does it for opaque triangles, but DXC drops calls here whose result is not used.
  while (query.Proceed());
  uint status = query.CommittedStatus();
  uint word = id * 8, place = id * 40;
  words[word] = status;
  words[word + 1] = query.RayFlags();
  floats[place] = query.RayTMin();
  put(place + 1, query.WorldRayOrigin());
  put(place + 4, query.WorldRayDirection());
  uint i;
  if (status == COMMITTED_NOTHING) {
    for (i = 2; i < 8; i++) words[word + i] = 0;
    for (i = 7; i < 40; i++) floats[place + i] = 0;
    return;
  }
  words[word + 2] = query.CommittedInstanceIndex();
  words[word + 3] = query.CommittedInstanceID();
  words[word + 4] = query.CommittedGeometryIndex();
  words[word + 5] = query.CommittedPrimitiveIndex();
  words[word + 6] = query.CommittedInstanceContributionToHitGroupIndex();
  words[word + 7] = query.CommittedTriangleFrontFace();
  floats[place + 7] = query.CommittedRayT();
  floats[place + 8] = query.CommittedTriangleBarycentrics().x;
  floats[place + 9] = query.CommittedTriangleBarycentrics().y;
  put(place + 10, query.CommittedObjectRayOrigin());
  put(place + 13, query.CommittedObjectRayDirection());
  put(place + 16, query.CommittedObjectToWorld3x4());
  // The transposed form.
  put(place + 28, transpose(query.CommittedWorldToObject4x3()));
}
