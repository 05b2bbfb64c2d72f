// dxc: -T ps_6_0 -E main -Zi -Qembed_debug -Od
// Pixels whose values follow from their place.
float4 main(float4 at : SV_Position, float3 colour : COLOR) : SV_Target
{
    uint2 cell = uint2(at.xy) / 4;
    uint shade = cell.x * 2 + cell.y;
    if ((cell.x + cell.y) % 2 == 0)
    {
        shade += 100;
    }
    return float4(shade, cell, 1) + colour.z;
}
