// dxc: -T lib_6_3
// Payloads with matrices and arrays, which are looked at through other types; what any hit shaders write stays when the hit is ignored.
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);

struct Payload {
    float2x2 turn;
    float list[3];
    float3 sum;
    uint number;
};

[shader("raygeneration")]
void Generate() {
    uint number = DispatchRaysIndex().x;
    Payload payload;
    payload.turn = float2x2(1 + number, 2, 3, 4);
    for (uint i = 0; i < 3; ++i)
        payload.list[i] = i;
    payload.sum = 0;
    payload.number = number;
    RayDesc ray;
    ray.Origin = float3(number < 2 ? 0.25 : 100, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 8;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    for (uint row = 0; row < 2; ++row)
        for (uint column = 0; column < 2; ++column)
            Out[16 * number + 2 * row + column] = payload.turn[row][column];
    for (uint at = 0; at < 3; ++at) {
        Out[16 * number + 4 + at] = payload.list[at];
        Out[16 * number + 7 + at] = payload.sum[at];
    }
}

[shader("anyhit")]
void Turn(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    payload.turn = mul(payload.turn, float2x2(0, 1, 1, 1));
    payload.list[payload.number % 3] += 7;
    if (payload.number == 1)
        IgnoreHit();
    payload.sum.x += 1;
}

[shader("closesthit")]
void Add(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    payload.sum += float3(payload.turn[0], payload.list[2]);
    payload.turn[payload.number & 1] *= 10;
    payload.list[payload.number + 1] = hit.barycentrics.y;
}

[shader("miss")]
void Transpose(inout Payload payload) {
    payload.turn = transpose(payload.turn);
    payload.sum.z -= payload.list[payload.number];
}
