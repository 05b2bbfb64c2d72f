// dxc: -T lib_6_5
// Flags that skip a kind of primitive are a feature of their own.
//! targets = vulkan1.3
//! without = RAY_PRIMITIVE_CULLING
// error: the target lacks rayTraversalPrimitiveCulling, which a ray that skips a kind of primitive needs
RaytracingAccelerationStructure Scene : register(t0);
struct Payload {
    uint hits;
};

[shader("raygeneration")]
void Generate() {
    Payload payload = { 0 };
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 0xff, 0, 1, 0, ray, payload);
}
