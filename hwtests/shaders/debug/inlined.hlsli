// Included by inlined.hlsl.
struct Item
{
    float3 position;
    uint id;
    float weights[2];
};

float square(float x)
{
    return x * x;
}
