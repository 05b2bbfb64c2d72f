// dxc: -T lib_6_3 -Zi -Qembed_debug -Od
// Rays that miss, and a callable shader: what they hand on follows from the ray's place.
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct [raypayload] Payload
{
    uint number : read(caller, miss) : write(caller, miss);
};

struct Called
{
    uint number;
};

[shader("callable")]
void twice(inout Called called)
{
    uint before = called.number;
    called.number = before * 2;
}

[shader("miss")]
void miss(inout Payload payload)
{
    uint before = payload.number;
    Called called;
    called.number = before + 1;
    CallShader(0, called);
    payload.number = called.number;
}

[shader("raygeneration")]
void generate()
{
    uint2 at = DispatchRaysIndex().xy;
    Payload payload;
    payload.number = at.y * 100 + at.x;
    RayDesc ray;
    ray.Origin = float3(0, 0, -100);
    ray.Direction = float3(0, 0, -1);
    ray.TMin = 0;
    ray.TMax = 1;
    TraceRay(Scene, 0, 0xFF, 0, 0, 0, ray, payload);
    Out[at.y * DispatchRaysDimensions().x + at.x] = payload.number;
}
