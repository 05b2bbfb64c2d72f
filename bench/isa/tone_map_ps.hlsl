// dxc: -T ps_6_0 -E main
// Exposure, a filmic curve, sRGB and dither.
Texture2D<float4> scene : register(t0);
Texture2D<float> luminance : register(t1);
cbuffer Frame : register(b0) { float exposure; float white; uint frame; float strength; }

float3 curve(float3 c) { return saturate(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14)); }

float3 srgb(float3 c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055; }

float4 main(float4 position : SV_Position) : SV_Target {
    uint2 texel = uint2(position.xy);
    float3 c = scene.Load(int3(texel, 0)).rgb;
    c *= exposure / max(luminance.Load(int3(0, 0, 0)), 1e-4);
    c = srgb(curve(c / white));
    uint noise = (texel.x * 1973 + texel.y * 9277 + frame * 26699) | 1;
    noise ^= noise << 13;
    noise ^= noise >> 17;
    float dither = float(noise & 255) / 255 - 0.5;
    return float4(floor((c + dither * strength) * 255 + 0.5) / 255, 1);
}
