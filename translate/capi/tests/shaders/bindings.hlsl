// dxc: -T cs_6_0 -E main
struct Pair { uint a, b, c; };
StructuredBuffer<Pair> pairs : register(t0);
Texture2D<float4> pictures[] : register(t1);
Buffer<uint> texels : register(t0, space1);
RWStructuredBuffer<uint> counted : register(u0);
RWByteAddressBuffer bytes : register(u1);
RWStructuredBuffer<float4> colours : register(u2);
cbuffer Constants : register(b0) { uint4 constants; };
SamplerState linear_sampler : register(s0);

[numthreads(8, 2, 1)]
void main(uint3 i : SV_DispatchThreadID)
{
    counted[counted.IncrementCounter()] = pairs[i.x].c + texels[i.y] + constants.y;
    bytes.Store(4 * i.x, constants[i.x & 3]);
    colours[i.x] = pictures[0].SampleLevel(linear_sampler, float2(i.xy) / 8, 0);
}
