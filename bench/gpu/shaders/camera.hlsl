// dxc: -T lib_6_5
// A picture of the scene with a shadow: rays of two kinds, all hit shaders, one level of recursion.
RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> picture : register(u0);

GlobalRootSignature Global = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Surfaces = { "", "Surface" };
ProceduralPrimitiveHitGroup Boxes = { "", "BoxSurface", "Box" };
RaytracingShaderConfig Config = { 16, 12 };
RaytracingPipelineConfig Depth = { 2 };

struct Payload {
  float3 color;
  uint depth;
};

struct Normal {
  float3 direction;
};

RayDesc RayFrom(float3 origin, float3 direction) {
  RayDesc ray;
  ray.Origin = origin;
  ray.Direction = direction;
  ray.TMin = 1e-3;
  ray.TMax = 100;
  return ray;
}

[shader("raygeneration")]
void Camera() {
  uint2 at = DispatchRaysIndex().xy;
  float2 place = (at + 0.5) / DispatchRaysDimensions().xy;
  Payload payload = { float3(0, 0, 0), 0 };
  float3 origin = float3(place.x * 7 - 2, place.y * 4 - 2, 3);
  TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, RayFrom(origin, float3(0, 0, -1)), payload);
  picture[at] = float4(payload.color, 1);
}

float3 Shade(Payload payload, float3 base) {
  if (payload.depth > 0)
    return base * 0.5;
  float3 at = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
  Payload shadow = { float3(0, 0, 0), 1 };
  TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, RayFrom(at, normalize(float3(1, 0.5, 1))), shadow);
  return base * shadow.color;
}

[shader("closesthit")]
void Surface(inout Payload payload, BuiltInTriangleIntersectionAttributes at) {
  payload.color = Shade(payload, float3(at.barycentrics, 0.5));
}

[shader("closesthit")]
void BoxSurface(inout Payload payload, Normal normal) {
  payload.color = Shade(payload, abs(normal.direction));
}

[shader("intersection")]
void Box() {
  Normal normal = { ObjectRayDirection() };
  ReportHit(RayTMin() + 2.0, 0, normal);
}

[shader("miss")]
void Sky(inout Payload payload) {
  payload.color = lerp(float3(1, 1, 1), float3(0.4, 0.6, 1), WorldRayDirection().y * 0.5 + 0.5);
}
