// dxc: -T ps_6_0 -E main
// Cascaded shadows with a filter of nine taps.
Texture2DArray<float> maps : register(t0);
SamplerComparisonState compare : register(s0);
cbuffer Shadow : register(b0) { float4x4 cascades[4]; float4 ends; float texel; }

float main(float4 position : SV_Position, float3 world : POSITION, float view_depth : DEPTH) : SV_Target {
    uint cascade = uint(dot(float4(view_depth > ends), 1));
    float4 p = mul(cascades[min(cascade, 3)], float4(world, 1));
    float sum = 0;
    [unroll] for (int y = -1; y <= 1; y++)
        [unroll] for (int x = -1; x <= 1; x++)
            sum += maps.SampleCmpLevelZero(compare, float3(p.xy + float2(x, y) * texel, cascade), p.z);
    return cascade < 4 ? sum / 9 : 1;
}
