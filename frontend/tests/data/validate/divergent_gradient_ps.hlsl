// A texture is sampled where an input decides.
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);

float4 main(float2 at : AT) : SV_Target
{
    float4 color = 0;
    [branch] if (at.x > 0.5)
        color = t.Sample(s, at);
    return color;
}
