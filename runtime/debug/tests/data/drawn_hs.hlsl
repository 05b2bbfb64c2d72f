// dxc: -T hs_6_0 -E main -Zi -Qembed_debug -Od
// A hull shader whose control points and factors follow from their numbers.
struct Corner
{
    float4 place : SV_Position;
    float3 colour : COLOR;
};

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors factors(InputPatch<Corner, 3> patch, uint number : SV_PrimitiveID)
{
    Factors all;
    float first = patch[1].colour.y;
    all.edges[0] = 1 + first;
    all.edges[1] = 2;
    all.edges[2] = 2;
    all.inside = 1 + number;
    return all;
}

[domain("tri")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("factors")]
Corner main(InputPatch<Corner, 3> patch, uint which : SV_OutputControlPointID, uint number : SV_PrimitiveID)
{
    uint both = number * 100 + which;
    Corner corner = patch[which];
    corner.colour.z = both;
    return corner;
}
