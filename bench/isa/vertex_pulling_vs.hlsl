// dxc: -T vs_6_2 -E main -Od
// Vertices of a stride that the shader does not know, unoptimised.
ByteAddressBuffer vertices : register(t0);
cbuffer View : register(b0) { float4x4 view_projection; uint stride; uint first; }
struct Output { float4 position : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD0; };

Output main(uint id : SV_VertexID) {
    uint offset = (first + id) * stride;
    float3 position = asfloat(vertices.Load3(offset));
    uint normal = vertices.Load(offset + 12);
    uint uv = vertices.Load(16 + offset);
    Output output;
    output.position = mul(view_projection, float4(position, 1));
    output.normal = float3(normal & 1023, (normal >> 10) & 1023, (normal >> 20) & 1023) / 511.5 - 1;
    output.uv = float2(f16tof32(uv), f16tof32(uv >> 16));
    return output;
}
