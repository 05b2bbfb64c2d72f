// dxc: -T ps_6_0 -E main -Zi -Qembed_debug
// A pixel shader: inputs, a texture, discard, an out parameter.
Texture2D<float4> Albedo : register(t0);
SamplerState Smooth : register(s0);
struct Surface
{
    float4 position : SV_Position;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD;
};

void shade(float3 normal, out float light)
{
    light = saturate(dot(normalize(normal), float3(0, 1, 0)));
}

float4 main(Surface surface) : SV_Target
{
    float4 color = Albedo.Sample(Smooth, surface.uv);
    if (color.a < 0.5)
        discard;
    float light;
    shade(surface.normal, light);
    return float4(color.rgb * light, 1);
}
