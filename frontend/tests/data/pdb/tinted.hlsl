// dxc: -T ps_6_0 -E main -Zi -Fd tinted.pdb
cbuffer Settings : register(b0)
{
    float4 tint;
};

float4 main(float4 color : COLOR) : SV_Target
{
    return color * tint;
}
