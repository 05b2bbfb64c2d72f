// dxc: -T lib_6_3 -Od
// Without optimisation: functions that are called with payloads, and code behind the end of a hit.
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Payload {
    uint total;
    uint calls;
    uint limit;
};

[noinline] void Count(inout Payload payload, uint by) {
    payload.total += by;
    payload.calls += 1;
}

[noinline] uint Trace(inout Payload payload, float x) {
    RayDesc ray;
    ray.Origin = float3(x, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 8;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    return payload.total;
}

[shader("raygeneration")]
void Generate() {
    uint number = DispatchRaysIndex().x;
    Payload payload;
    payload.total = number;
    payload.calls = 0;
    payload.limit = number;
    uint first = Trace(payload, 0.25);
    uint second = Trace(payload, 50);
    Out[4 * number] = first;
    Out[4 * number + 1] = second;
    Out[4 * number + 2] = payload.calls;
    Out[4 * number + 3] = payload.limit;
}

// Leaves a loop in the middle by ignoring the hit, or by taking it.
[shader("anyhit")]
void Loop(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    for (uint i = 0; i < 8; ++i) {
        Count(payload, 100);
        if (i == payload.limit) {
            if (payload.limit == 1)
                IgnoreHit();
            if (payload.limit == 2)
                AcceptHitAndEndSearch();
        }
        if (i > payload.limit)
            break;
    }
    payload.total += 1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    Count(payload, 10000);
}

[shader("miss")]
void Miss(inout Payload payload) {
    Count(payload, 20000);
}
