// dxc: -T vs_6_0 -E main
// Four bones for each vertex.
struct Bone { float3x4 transform; };
StructuredBuffer<Bone> bones : register(t0);
cbuffer View : register(b0) { row_major float4x4 projection; uint first; }
struct Out { float4 position : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD; };

Out main(float3 position : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD, uint4 index : BONES, float4 weight : WEIGHTS) {
    float3x4 m = 0;
    [unroll] for (uint i = 0; i < 4; i++)
        m += bones[first + index[i]].transform * weight[i];
    Out o;
    o.position = mul(projection, float4(mul(m, float4(position, 1)), 1));
    o.normal = mul((float3x3)m, normal);
    o.uv = uv;
    return o;
}
