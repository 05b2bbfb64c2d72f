// dxc: -T ds_6_0 -E main -Zi -Qembed_debug -Od
// A domain shader: a point's place in the patch is a sum of the corners.
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

[domain("tri")]
Corner main(Factors factors, float3 weights : SV_DomainLocation, OutputPatch<Corner, 3> patch)
{
    float sum = weights.x + weights.y + weights.z;
    Corner corner;
    corner.place = patch[0].place * weights.x + patch[1].place * weights.y + patch[2].place * weights.z;
    corner.colour = float3(sum, factors.edges[0], patch[2].colour.z);
    return corner;
}
