// dxc: -T lib_6_3
// Arguments of a local root signature are words of the shader record: constants, an address, handles of tables.
//! targets = vulkan1.3
//! bind = b0 local push 1 4
//! bind = t0 local address 6
//! bind = t1 local heap 3 1 100 8
//! bind = s0 local heap 3 2 0 10
//! bind = local_tables 5 4
// check: OpName $record "shader_record"
// check: OpMemberDecorate $block 0 Offset 0
// check: OpDecorate $index NonUniform
// check: $record = OpVariable $p ShaderRecordBufferKHR
// not:   PushConstant
// count: 1 OpVariable $p ShaderRecordBufferKHR
// count: 2 OpShiftRightLogical $uint $handle
//! options = debug_info
cbuffer Material : register(b0, space1) {
    float3 Tint;
    uint Layer;
};
struct Vertex {
    float2 uv;
};
StructuredBuffer<Vertex> Vertices : register(t0, space1);
Texture2D<float4> Pictures[] : register(t1, space1);
SamplerState Smooth : register(s0, space1);
struct Payload {
    float4 color;
};

[shader("closesthit")]
void Paint(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
    float2 uv = Vertices[3 * PrimitiveIndex()].uv + attributes.barycentrics;
    float4 color = Pictures[NonUniformResourceIndex(Layer)].SampleLevel(Smooth, uv, 0);
    payload.color = float4(color.rgb * Tint, color.a);
}
