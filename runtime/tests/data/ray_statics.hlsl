// dxc: -T lib_6_3
// Static variables of each kind of ray tracing shader: an invocation begins with the initializers,
// whatever the shaders around it have written, and keeps its own values across a call.
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<uint> seen : register(u0);
RaytracingPipelineConfig config = { 2 };

struct Payload { uint depth, hits, value; };
struct Parameter { uint value; };

// The index is known only when the shader runs, so the array stays in memory.
static uint counts[3] = { 5, 7, 9 };

uint count(uint place, uint step) {
  counts[place % 3] += step;
  return counts[0] + 100 * counts[1] + 10000 * counts[2];
}

void trace(uint ray, inout Payload payload) {
  RayDesc desc = { float3(0.2, 0.2, -1), 0, float3(0, 0, (ray & 1) ? -1 : 1), 100 };
  TraceRay(scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 1, 0, desc, payload);
}

[shader("miss")] void missed(inout Payload payload) {
  payload.value = count(payload.depth, 3);
}

[shader("anyhit")] void candidate(inout Payload payload, BuiltInTriangleIntersectionAttributes at) {
  payload.hits = count(payload.depth + 1, 1);
}

[shader("closesthit")] void hit(inout Payload payload, BuiltInTriangleIntersectionAttributes at) {
  uint own = count(payload.depth + 2, 2);
  if (payload.depth == 0) {
    Payload inner = { 1, 0, 0 };
    trace(0, inner);
    own = count(payload.depth + 1, inner.value % 10);
  }
  payload.value = own;
}

[shader("callable")] void called(inout Parameter parameter) {
  parameter.value = count(parameter.value, 4);
}

[shader("raygeneration")] void generate() {
  uint ray = DispatchRaysIndex().x;
  count(ray, 50);
  Payload payload = { 0, 0, 0 };
  trace(ray, payload);
  trace(ray, payload);
  Parameter parameter = { ray };
  CallShader(0, parameter);
  seen[4 * ray] = payload.value;
  seen[4 * ray + 1] = payload.hits;
  seen[4 * ray + 2] = parameter.value;
  seen[4 * ray + 3] = count(ray, 1);
}
