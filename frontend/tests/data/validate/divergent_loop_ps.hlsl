// A texture is sampled in a loop that lanes leave at different times.
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);

float4 main(float2 at : AT, nointerpolation uint count : COUNT) : SV_Target
{
    float4 color = 0;
    [loop] for (uint i = 0; i < count; ++i)
        color += t.Sample(s, at * i);
    return color;
}
