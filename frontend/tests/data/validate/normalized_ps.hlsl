// Normalized inputs have no component type in ISG1 and PSV0.
float4 main(snorm float a : A, unorm float2 b : B, float c : C) : SV_Target
{
    return float4(a, b, c);
}
