// dxc: -T cs_6_0 -E main
// A reserved texture: which reads had memory. Tiles of 64 KiB are 64 x 64 texels of 16 bytes.
Texture2D<float4> Picture : register(t0);
SamplerState Nearest : register(s0);
RWStructuredBuffer<float2> Out : register(u0);

float2 result(float4 value, uint status)
{
    bool mapped = CheckAccessFullyMapped(status);
    return float2(mapped, mapped ? value.x : 0);
}

[numthreads(2, 2, 1)]
void main(uint2 id : SV_GroupThreadID)
{
    uint slot = 2 * (id.y * 2 + id.x);
    uint2 texel = id * 64 + 5;
    uint status;
    float4 value = Picture.Load(int3(texel, 0), int2(0, 0), status);
    Out[slot] = result(value, status);
    value = Picture.SampleLevel(Nearest, (texel + 0.5) / 128, 0, int2(0, 0), status);
    Out[slot + 1] = result(value, status);
}
