// dxc: -T lib_6_3 -Zi -Qembed_debug
// A library of two ray tracing shaders that share a function.
struct [raypayload] Payload
{
    float3 color;
    uint depth;
};
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Picture : register(u0);

float3 sky(float3 direction)
{
    float up = direction.y * 0.5 + 0.5;
    return lerp(float3(1, 1, 1), float3(0.25, 0.5, 1), up);
}

[shader("raygeneration")]
void generate()
{
    uint2 pixel = DispatchRaysIndex().xy;
    RayDesc ray;
    ray.Origin = float3(pixel, 0);
    ray.Direction = normalize(float3(0, pixel.y, 1));
    ray.TMin = 0;
    ray.TMax = 1000;
    Payload payload = { sky(ray.Direction), 0 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    Picture[pixel] = float4(payload.color, payload.depth);
}

[shader("miss")]
void missed(inout Payload payload)
{
    payload.color = sky(WorldRayDirection());
    payload.depth += 1;
}
