// dxc: -T lib_6_5
//! targets = vulkan1.3
// check: OpCapability RayTraversalPrimitiveCullingKHR
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
struct Payload { float value; };

[shader("raygeneration")]
void Generate() {
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  Payload payload = { 0 };
  TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 0xff, 0, 1, 0, ray, payload);
  Out[DispatchRaysIndex().x] = payload.value;
}
