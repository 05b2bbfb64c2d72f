// dxc: -T lib_6_5
// Every stage of a ray tracing pipeline, and everything that its shaders can ask and do. A ray's number says what it meets.
RaytracingAccelerationStructure Scene : register(t0);

struct Payload {
    uint4 ids;
    uint4 words;
    float4 ray;
    float4 more;
};
RWStructuredBuffer<Payload> Out : register(u0);

struct Sides {
    float3 normal;
    uint side;
};
struct Numbers {
    uint4 values;
    float scale;
};
struct Counter {
    uint count;
};

[shader("raygeneration")]
void Generate() {
    uint3 index = DispatchRaysIndex();
    uint number = index.y * DispatchRaysDimensions().x + index.x;
    Payload payload;
    payload.ids = 0;
    payload.words = uint4(0, 0, number, 0);
    payload.ray = 0;
    payload.more = 0;
    RayDesc ray;
    ray.Origin = float3(10, 1, -5);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0.5;
    ray.TMax = 50;
    uint mask = 0xff, miss = 0;
    if (number == 3) {
        // Through the middle of the box, whose object space is twice as fine in x and four times in y.
        ray.Origin = float3(20.5, 2, -5);
        ray.Direction = float3(0, 0, 2);
    } else if (number == 4) {
        ray.Origin = float3(-30, 0, 0);
        miss = 1;
    } else if (number == 6) {
        mask = 0x10;
    }
    // Geometries of a bottom level are one record apart.
    TraceRay(Scene, number == 7 ? RAY_FLAG_FORCE_OPAQUE : RAY_FLAG_NONE, mask, 0, 1, miss, ray, payload);
    Numbers numbers;
    numbers.values = uint4(number, 1, 2, 3);
    numbers.scale = 0.5;
    CallShader(number & 1, numbers);
    payload.words.w += numbers.values.y;
    payload.more.w += numbers.scale;
    Out[number] = payload;
}

// Triangles that are not opaque: what is done with a hit depends on the ray's number.
[shader("anyhit")]
void Judge(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    uint number = payload.words.z;
    // A hit may be judged more than once.
    payload.words.w |= 0x100;
    if (number == 1) {
        payload.words.w |= 0x1000;
        IgnoreHit();
    }
    if (number == 2) {
        payload.words.w |= asuint(hit.barycentrics.x) >> 23 << 16;
        AcceptHitAndEndSearch();
    }
    payload.words.w |= 0x200;
}

[shader("closesthit")]
void Near(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    payload.ids = uint4(InstanceID(), InstanceIndex(), PrimitiveIndex(), GeometryIndex());
    payload.words.xy = uint2(HitKind(), RayFlags());
    payload.ray = float4(WorldRayOrigin().x, ObjectRayOrigin().x, ObjectToWorld3x4()[0][3], WorldToObject4x3()[3][0]);
    payload.more = float4(hit.barycentrics, RayTCurrent(), RayTMin());
    if (payload.words.z == 5) {
        // Onward from what was hit, with a payload of its own, to the miss shader.
        Payload next;
        next.ids = payload.ids;
        next.words = uint4(0, 0, 100, 0);
        next.ray = 0;
        next.more = 0;
        RayDesc ray;
        ray.Origin = WorldRayOrigin() + (RayTCurrent() - 1) * WorldRayDirection();
        ray.Direction = float3(0, 1, 0);
        ray.TMin = 1;
        ray.TMax = 2;
        TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 1, ray, next);
        payload.ray = next.ray;
        payload.words.w += next.words.w;
    }
}

// Reports a hit that lies behind the ray's end, then two that count.
[shader("intersection")]
void Box() {
    Sides sides;
    sides.normal = float3(1, 2, 3);
    sides.side = 1;
    bool far = ReportHit(60, 3, sides);
    sides.normal = ObjectRayOrigin();
    sides.side = far ? 2 : 3;
    float before = RayTCurrent();
    bool near = ReportHit(2, 9, sides);
    // The end of the ray has moved to the hit; drivers are not at one on whether RayTCurrent says so.
    sides.side = near && before == 50 ? 4 : 5;
    ReportHit(1.5, 10, sides);
}

[shader("anyhit")]
void JudgeBox(inout Payload payload, Sides sides) {
    payload.words.w |= 0x10000 * sides.side + HitKind();
}

[shader("closesthit")]
void NearBox(inout Payload payload, Sides sides) {
    payload.ids = uint4(InstanceID(), InstanceIndex(), PrimitiveIndex(), GeometryIndex());
    payload.words.xy = uint2(HitKind(), sides.side);
    payload.ray = float4(ObjectRayOrigin().y, ObjectRayDirection().z, WorldRayDirection().z, ObjectToWorld3x4()[1][1]);
    payload.more = float4(sides.normal, RayTCurrent());
}

[shader("miss")]
void Sky(inout Payload payload) {
    payload.words.w += 0x55;
    payload.ray = float4(WorldRayOrigin(), RayTCurrent());
}

[shader("miss")]
void Ground(inout Payload payload) {
    Counter counter;
    counter.count = 40;
    CallShader(2, counter);
    payload.words.w += counter.count;
    payload.ray = float4(WorldRayDirection(), RayTMin());
}

[shader("callable")]
void Double(inout Numbers numbers) {
    numbers.values.y = 2 * numbers.values.x;
    numbers.scale *= 2;
}

// Calls on, with what it was given and with something else.
[shader("callable")]
void Chain(inout Numbers numbers) {
    numbers.values.x += 100;
    CallShader(0, numbers);
    Counter counter;
    counter.count = numbers.values.y;
    CallShader(2, counter);
    numbers.values.y = counter.count;
    numbers.scale += 4;
}

[shader("callable")]
void Increment(inout Counter counter) {
    counter.count += 1;
}
