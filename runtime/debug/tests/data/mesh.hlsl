// dxc: -T ms_6_5 -E main -Zi -Qembed_debug -Od
// A mesh shader of 64 threads in two groups.
struct Vertex
{
    float4 place : SV_Position;
};

groupshared uint total;

[numthreads(64, 1, 1)]
[outputtopology("triangle")]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
          out vertices Vertex vertices[64], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(64, 1);
    uint number = group.x * 1000 + thread;
    if (thread == 0)
    {
        total = number;
    }
    GroupMemoryBarrierWithGroupSync();
    uint first = total;
    vertices[thread].place = float4(number, first, 0, 1);
    if (thread == 0)
    {
        triangles[0] = uint3(0, 1, 2);
    }
}
