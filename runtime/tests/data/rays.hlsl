// dxc: -T lib_6_5
// A ray tracing pipeline with all stages, recursion, and arguments in shader records; its subobjects say how it is put
// together.
GlobalRootSignature Global = { "SRV(t0), SRV(t1), UAV(u0)" };
LocalRootSignature Material = { "RootConstants(num32BitConstants = 2, b0, space = 1), SRV(t0, space = 1)" };
SubobjectToExportsAssociation MaterialFor = { "Material", "Solid;Sky;Triple" };
TriangleHitGroup Plain = { "", "Solid" };
TriangleHitGroup Pierced = { "Holes", "Solid" };
ProceduralPrimitiveHitGroup Cubes = { "", "Cubic", "Cube" };
TriangleHitGroup Mirrors = { "", "Mirror" };
RaytracingShaderConfig Config = { 16, 12 };
RaytracingPipelineConfig Depth = { 4 };

struct Payload {
  uint value;
  uint depth;
  float t;
};

struct Job {
  float3 origin;
  float tmin;
  float3 direction;
  float tmax;
  uint mask;
  uint flags;
  uint contribution;
  uint miss;
};

struct Number {
  uint value;
};

struct Face {
  uint axis;
  float2 place;
};

RaytracingAccelerationStructure scene : register(t0);
StructuredBuffer<Job> jobs : register(t1);
RWStructuredBuffer<uint4> results : register(u0);

cbuffer Record : register(b0, space1) {
  uint material;
  uint factor;
};
StructuredBuffer<uint> palette : register(t0, space1);

[shader("raygeneration")]
void Generate() {
  uint3 index = DispatchRaysIndex(), size = DispatchRaysDimensions();
  uint i = index.x + size.x * (index.y + size.y * index.z);
  Job job = jobs[i];
  RayDesc ray = { job.origin, job.tmin, job.direction, job.tmax };
  Payload payload = { 1, 0, -2 };
  TraceRay(scene, job.flags, job.mask, job.contribution, 1, job.miss, ray, payload);
  Number number = { payload.value };
  CallShader(i % 2, number);
  results[i] = uint4(payload.value, payload.depth, asuint(payload.t), number.value);
}

[shader("miss")]
void Sky(inout Payload payload) {
  payload.value = material + palette[factor];
  payload.t = -1;
}

[shader("miss")]
void Void(inout Payload payload) {
  payload.value = 77;
}

[shader("closesthit")]
void Solid(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  payload.value = palette[material] * 1000 + InstanceID() * 100 + GeometryIndex() * 50 + PrimitiveIndex() * 10 +
                  (HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE) + factor * 10000;
  payload.t = RayTCurrent();
}

[shader("anyhit")]
void Holes(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  if (attributes.barycentrics.x + attributes.barycentrics.y < 0.5)
    IgnoreHit();
}

[shader("closesthit")]
void Mirror(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  payload.depth += 1;
  if (payload.depth > 3) {
    payload.value = 999;
    payload.t = RayTCurrent();
    return;
  }
  float3 direction = WorldRayDirection();
  float3 place = WorldRayOrigin() + direction * RayTCurrent();
  direction.z = -direction.z;
  RayDesc ray = { place, 0.01, direction, 100 };
  TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
}

[shader("intersection")]
void Cube() {
  float3 inverse = 1 / ObjectRayDirection();
  float3 a = (-1 - ObjectRayOrigin()) * inverse;
  float3 b = (1 - ObjectRayOrigin()) * inverse;
  float3 near = min(a, b), far = max(a, b);
  float enter = max(near.x, max(near.y, near.z));
  float leave = min(far.x, min(far.y, far.z));
  if (enter > leave)
    return;
  float3 place = ObjectRayOrigin() + enter * ObjectRayDirection();
  Face face;
  face.axis = enter == near.x ? 0 : enter == near.y ? 1 : 2;
  face.place = place.xy;
  ReportHit(enter, 5, face);
}

[shader("closesthit")]
void Cubic(inout Payload payload, Face face) {
  payload.value = 5000000 + face.axis * 100000 + HitKind() * 10000 + uint(round((face.place.x + 1) * 50)) * 100 +
                  uint(round((face.place.y + 1) * 40));
  payload.t = RayTCurrent();
}

[shader("callable")]
void Double(inout Number number) {
  number.value *= 2;
}

[shader("callable")]
void Triple(inout Number number) {
  Number again = number;
  CallShader(0, again);
  number.value += again.value + material;
}
