// DXC compares blocks: outputs may come before the counts in the same one.
struct Vertex
{
    float4 position : SV_Position;
};

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void main(uint lane : SV_GroupThreadID, out vertices Vertex vertices[3],
          out indices uint3 triangles[1])
{
    vertices[lane].position = float4(lane & 1, lane >> 1, 0, 1);
    triangles[0] = uint3(0, 1, 2);
    SetMeshOutputCounts(3, 1);
}
