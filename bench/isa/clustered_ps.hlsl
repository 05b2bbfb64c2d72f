// dxc: -T ps_6_0 -E main
// Lights of a cluster, whose list lies in a raw buffer.
struct Light { float3 position; float radius; float3 color; uint kind; };
StructuredBuffer<Light> lights : register(t0);
ByteAddressBuffer clusters : register(t1);
cbuffer View : register(b0) { float4x4 view; float3 eye; float near; uint3 grid; float scale; }

float4 main(float4 position : SV_Position, float3 world : POSITION, float3 normal : NORMAL) : SV_Target {
    float depth = mul(view, float4(world, 1)).z;
    uint3 cell = uint3(position.xy / 64, max(log2(depth / near) * scale, 0));
    uint cluster = cell.x + grid.x * (cell.y + grid.y * cell.z);
    uint2 list = clusters.Load2(cluster * 8);
    float3 n = normalize(normal), v = normalize(eye - world), sum = 0;
    for (uint i = 0; i < list.y; i++) {
        Light light = lights[clusters.Load((list.x + i) * 4)];
        float3 l = light.position - world;
        float d2 = dot(l, l);
        float fade = saturate(1 - d2 / (light.radius * light.radius));
        l *= rsqrt(d2);
        float3 h = normalize(l + v);
        float spec = light.kind == 1 ? pow(saturate(dot(n, h)), 32) : 0;
        sum += light.color * (fade * fade * (saturate(dot(n, l)) + spec));
    }
    return float4(sum, 1);
}
