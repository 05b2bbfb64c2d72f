// dxc: -T gs_6_0 -E main -Zi -Qembed_debug -Od
// A geometry shader that runs twice for each triangle.
struct Corner
{
    float4 place : SV_Position;
    float3 colour : COLOR;
};

[maxvertexcount(3)]
[instance(2)]
void main(triangle Corner corners[3], uint number : SV_PrimitiveID, uint run : SV_GSInstanceID,
          inout TriangleStream<Corner> stream)
{
    uint both = number * 10 + run;
    for (uint i = 0; i < 3; ++i)
    {
        Corner corner = corners[i];
        corner.colour.z = both + i;
        stream.Append(corner);
    }
}
