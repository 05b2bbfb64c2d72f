// dxc: -T lib_6_3
// Arguments of local root signatures: each record has its own.
GlobalRootSignature Everything = { "SRV(t0), UAV(u0)" };
LocalRootSignature Words = { "RootConstants(num32BitConstants=3, b0, space=1)" };
LocalRootSignature Two = { "RootConstants(num32BitConstants=1, b0, space=2), RootConstants(num32BitConstants=2, b1, space=2)" };
SubobjectToExportsAssociation OfHits = { "Words", "Hit" };
SubobjectToExportsAssociation OfOthers = { "Two", "Generate;Miss" };

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Material : register(b0, space1) {
    uint Factor;
    uint2 Bias;
};
cbuffer First : register(b0, space2) {
    uint Base;
};
cbuffer Second : register(b1, space2) {
    uint2 Pair;
};
struct Payload {
    uint value;
};

[shader("raygeneration")]
void Generate() {
    uint number = DispatchRaysIndex().x;
    Payload payload = { Base + number };
    RayDesc ray;
    ray.Origin = float3(number < 4 ? 0.25 : 100, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 8;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, number & 1, 0, number & 1, ray, payload);
    Out[number] = payload.value + Pair[number & 1];
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    payload.value = payload.value * Factor + Bias[PrimitiveIndex()] * 1000 + Bias.y;
}

[shader("miss")]
void Miss(inout Payload payload) {
    payload.value += Base + Pair.x * Pair.y;
}
