// dxc: -T lib_6_3
// A parameter that is looked at through another type is copied, and goes back before the invocation ends: the
// variable that other stages see keeps the type of the source.
//! targets = vulkan1.3
// check: $given = OpVariable $a IncomingRayPayloadKHR
// check: $cells = OpVariable $b Function
// check: $whole = OpLoad $payload $given
// check: OpStore $given $changed
// check: OpIgnoreIntersectionKHR
// check: OpStore $given $again
// check: OpReturn
struct Payload {
    float2x2 turn;
    uint count;
};

[shader("anyhit")]
void Turn(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
    payload.turn = mul(payload.turn, payload.turn);
    if (payload.turn[0][1] > 2)
        IgnoreHit();
    payload.count += 1;
}
