// dxc: -T ps_6_0 -E main
// Rows of constants that only branches read, beside rows that every pixel reads: lights of kinds.
cbuffer Light : register(b0) {
    float4 ambient;
    float4 direction;
    float4 colour;
    float4 cone;
    float4 fog;
    uint kind;
}
Texture2D albedo : register(t0);
SamplerState smooth : register(s0);

float4 main(float2 uv : UV, float3 normal : NORMAL, float3 place : PLACE) : SV_Target {
    float4 base = albedo.SampleLevel(smooth, uv, 0);
    float3 lit = base.rgb * ambient.rgb;
    [branch] if (kind == 1) {
        lit += base.rgb * colour.rgb * saturate(dot(normal, direction.xyz));
    } else if (kind == 2) {
        float3 to = direction.xyz - place;
        float across = dot(to, to);
        float inside = saturate(dot(normalize(to), cone.xyz) * cone.w + direction.w);
        lit += base.rgb * colour.rgb * (inside / max(across, 0.01) * saturate(dot(normal, to)));
    }
    [branch] if (fog.w > 0)
        lit = lerp(fog.rgb, lit, exp2(-fog.w * dot(place, place)));
    return float4(lit, base.a);
}
