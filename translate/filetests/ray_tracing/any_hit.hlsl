// dxc: -T lib_6_3
// The two ways to end an any hit shader early are SPIR-V's terminators: nothing of the block comes after them.
//! targets = vulkan1.3
// check: OpEntryPoint AnyHitKHR $main "Cut"
// check: $payload = OpVariable $a IncomingRayPayloadKHR
// check: $attributes = OpVariable $b HitAttributeKHR
// check: OpIgnoreIntersectionKHR
// check: = OpLabel
// check: OpTerminateRayKHR
// check: = OpLabel
// not:   OpUnreachable
// not:   Volatile
struct Payload {
    float nearest;
    uint hits;
};

[shader("anyhit")]
void Cut(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
    payload.hits += 1;
    if (attributes.barycentrics.x > 0.5) {
        payload.hits += 0x100;
        IgnoreHit();
    }
    if (RayTCurrent() < payload.nearest) {
        payload.nearest = RayTCurrent();
        AcceptHitAndEndSearch();
    }
    payload.hits += 0x10000;
}
