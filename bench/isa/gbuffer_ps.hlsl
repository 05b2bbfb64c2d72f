// dxc: -T ps_6_0 -E main
// Packs a surface into three targets of integers.
Texture2D<float4> albedo : register(t0);
Texture2D<float4> normals : register(t1);
Texture2D<float4> material : register(t2);
SamplerState wrap : register(s0);

struct Surface {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float2 motion : TEXCOORD1;
};
struct Packed { uint4 a : SV_Target0; uint2 b : SV_Target1; };

float2 octahedral(float3 n) {
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    return n.z >= 0 ? n.xy : (1 - abs(n.yx)) * (n.xy >= 0 ? 1.0 : -1.0);
}
uint unorm8(float4 v) {
    uint4 q = uint4(saturate(v) * 255 + 0.5);
    return q.x | q.y << 8 | q.z << 16 | q.w << 24;
}
uint snorm16(float2 v) {
    int2 q = int2(round(clamp(v, -1, 1) * 32767));
    return (q.x & 0xffff) | q.y << 16;
}

Packed main(Surface s) {
    float4 color = albedo.Sample(wrap, s.uv);
    if (color.a < 0.5)
        discard;
    float3 t = normals.Sample(wrap, s.uv).xyz * 2 - 1;
    float3 bitangent = cross(s.normal, s.tangent.xyz) * s.tangent.w;
    float3 n = normalize(t.x * s.tangent.xyz + t.y * bitangent + t.z * s.normal);
    Packed p;
    p.a = uint4(unorm8(color), snorm16(octahedral(n)), unorm8(material.Sample(wrap, s.uv)),
                f32tof16(s.motion.x) | f32tof16(s.motion.y) << 16);
    p.b = uint2(asuint(s.position.z), uint(s.position.x) | uint(s.position.y) << 16);
    return p;
}
