// dxc: -T lib_6_3
// A payload that came with a ray goes on with the next one: it is copied, and copied back.
//! targets = vulkan1.3
// check: OpEntryPoint MissKHR $main "Onward"
// check: $given = OpVariable $a IncomingRayPayloadKHR
// check: $sent = OpVariable $b RayPayloadKHR
// check: $whole = OpLoad $payload $given
// check: OpStore $sent $whole
// check: OpTraceRayKHR
// check: $result = OpLoad $payload $sent
// check: OpStore $given $result
RaytracingAccelerationStructure Scene : register(t0, space2);
struct Payload {
    float4 color;
    uint depth;
};

[shader("miss")]
void Onward(inout Payload payload) {
    if (payload.depth >= 3)
        return;
    payload.depth += 1;
    RayDesc ray;
    ray.Origin = WorldRayOrigin();
    ray.TMin = RayTMin();
    ray.Direction = -WorldRayDirection();
    ray.TMax = RayTCurrent();
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    payload.color *= 0.5;
}
