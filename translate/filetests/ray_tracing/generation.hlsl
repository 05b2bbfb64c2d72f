// dxc: -T lib_6_3
// A ray generation shader sends a payload along with a ray and takes it back, and data with a call.
//! targets = vulkan1.2 vulkan1.3
// check: OpCapability RayTracingKHR
// check: OpExtension "SPV_KHR_ray_tracing"
// check: OpEntryPoint RayGenerationKHR $main "Generate"
// check: OpDecorate $id BuiltIn LaunchIdKHR
// check: OpDecorate $size BuiltIn LaunchSizeKHR
// check: $sent = OpVariable $a RayPayloadKHR
// check: $called = OpVariable $b CallableDataKHR
// check: OpStore $sent $before
// check: OpTraceRayKHR $structure $flags $mask $contribution $multiplier $miss $origin $near $direction $far $sent
// check: $after = OpLoad $payload $sent
// check: OpStore $called
// check: OpExecuteCallableKHR $index $called
// not:   OpTypeFloat 16
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload {
    float4 color;
    uint depth;
};
struct Mixed {
    float3 color;
    float amount;
};

[shader("raygeneration")]
void Generate() {
    uint3 index = DispatchRaysIndex();
    uint3 size = DispatchRaysDimensions();
    RayDesc ray;
    ray.Origin = float3(index.xy, -1);
    ray.TMin = 0.25;
    ray.Direction = float3(0, 0, 1);
    ray.TMax = 100;
    Payload payload;
    payload.color = 0;
    payload.depth = index.z;
    TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0x7f, 1, 2, 3, ray, payload);
    Mixed mixed;
    mixed.color = payload.color.rgb;
    mixed.amount = payload.depth;
    CallShader(index.y, mixed);
    Out[index.y * size.x + index.x] = float4(mixed.color, mixed.amount);
}
