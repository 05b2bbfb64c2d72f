// dxc: -T vs_6_0 -E main -Zi -Qembed_debug -Od
// Vertices of a draw: their number and instance are known.
struct Corner
{
    float4 place : SV_Position;
    float3 colour : COLOR;
};

Corner main(float3 place : POSITION, uint number : SV_VertexID, uint instance : SV_InstanceID)
{
    Corner corner;
    uint both = number * 10 + instance;
    corner.place = float4(place, 1);
    corner.colour = float3(both, number, instance);
    return corner;
}
