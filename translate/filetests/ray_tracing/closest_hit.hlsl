// dxc: -T lib_6_5
// What a closest hit shader is told. SPIR-V's matrices have columns where HLSL's have rows.
//! targets = vulkan1.3
// check: OpEntryPoint ClosestHitKHR $main "Tell"
// check: OpDecorate $id BuiltIn InstanceCustomIndexKHR
// check: OpDecorate $index BuiltIn InstanceId
// check: OpDecorate $primitive BuiltIn PrimitiveId
// check: OpDecorate $geometry BuiltIn RayGeometryIndexKHR
// check: OpDecorate $kind BuiltIn HitKindKHR
// check: OpDecorate $flags BuiltIn IncomingRayFlagsKHR
// check: OpDecorate $to_world BuiltIn ObjectToWorldKHR
// check: OpDecorate $to_object BuiltIn WorldToObjectKHR
// check: $float = OpTypeFloat 32
// check: $column = OpTypeVector $float 3
// check: $matrix = OpTypeMatrix $column 4
// check: $element = OpAccessChain $p $to_world $three $two
// check: $other = OpAccessChain $p $to_object $two $zero
struct Payload {
    uint4 ids;
    uint2 flags;
    float2 elements;
};

[shader("closesthit")]
void Tell(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
    payload.ids = uint4(InstanceID(), InstanceIndex(), PrimitiveIndex(), GeometryIndex());
    payload.flags = uint2(HitKind(), RayFlags());
    payload.elements = float2(ObjectToWorld3x4()[2][3], WorldToObject3x4()[0][2]);
}
