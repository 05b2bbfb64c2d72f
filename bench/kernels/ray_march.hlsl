// dxc: -T cs_6_0 -E main
// Sphere tracing of a sphere, a torus and a floor, with a shadow: how far each ray got.
cbuffer Parameters : register(b0) {
    uint width;
};
RWStructuredBuffer<float> distances : register(u0);

float scene(float3 p) {
    float sphere = length(p - float3(0, 0.5, 0)) - 0.5;
    float2 ring = float2(length(p.xz - float2(0.3, 0.2)) - 1.0, p.y - 0.2);
    float torus = length(ring) - 0.2;
    return min(min(sphere, torus), p.y);
}

float march(float3 from, float3 towards) {
    float t = 0.05;
    for (uint i = 0; i < 48; ++i) {
        float near = scene(from + towards * t);
        if (near < 0.001 || t > 20)
            break;
        t += near;
    }
    return t;
}

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    float2 screen = (float2(id.xy) + 0.5) / float(width) * 2 - 1;
    float3 eye = float3(0, 1.5, -3);
    float3 ray = normalize(float3(screen.x, -screen.y - 0.3, 1.5));
    float t = march(eye, ray);
    float3 hit = eye + ray * t;
    float3 light = normalize(float3(0.6, 0.8, -0.3));
    float lit = march(hit + light * 0.01, light) > 10 ? 1 : 0.25;
    distances[id.y * width + id.x] = min(t, 20) * lit;
}
