// dxc: -T ps_6_0 -E main
// Ambient occlusion from the depth buffer.
Texture2D<float> depth : register(t0);
SamplerState clamped : register(s0);
cbuffer Ssao : register(b0) { float4 taps[16]; float4 projection; float2 size; float radius; float bias; }

float linear_depth(float2 uv) { return projection.y / (depth.SampleLevel(clamped, uv, 0) - projection.x); }

float main(float4 position : SV_Position) : SV_Target {
    float2 uv = position.xy / size;
    float z = linear_depth(uv);
    float angle = frac(52.9829189 * frac(dot(position.xy, float2(0.06711056, 0.00583715)))) * 6.2831853;
    float2x2 turn = float2x2(cos(angle), -sin(angle), sin(angle), cos(angle));
    float open = 0;
    [loop] for (uint i = 0; i < 16; i++) {
        float2 at = uv + mul(turn, taps[i].xy) * radius / z;
        float other = linear_depth(at);
        open += other + bias < z - taps[i].z * radius ? smoothstep(0, 1, radius / abs(z - other)) : 0;
    }
    return 1 - open / 16;
}
