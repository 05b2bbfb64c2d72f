// Constants decide, or all lanes take part.
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
cbuffer Settings : register(b0)
{
    uint count;
    float bias;
};

float4 main(float2 at : AT) : SV_Target
{
    float4 color = 0;
    [branch] if (bias > 0.5)
        color = t.Sample(s, at);
    [loop] for (uint i = 0; i < count; ++i)
        color += t.SampleBias(s, at * i, bias);
    [branch] if (at.x > 0.5)
        color += t.SampleLevel(s, at, 0);
    return color + ddx(at.x);
}
