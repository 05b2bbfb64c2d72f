// dxc: -T lib_6_5
// Flags of a pipeline ask for tier 1.1 of ray tracing, which then all functions do, used or not.
RaytracingPipelineConfig1 pipeline = {1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES};
RaytracingShaderConfig shaders = {16, 8};
RWByteAddressBuffer result : register(u0);

struct Payload
{
    float4 color;
};

export void note(uint at)
{
    result.Store(4 * at, at);
}

[shader("miss")]
void missed(inout Payload payload)
{
    payload.color = 0.5;
}
