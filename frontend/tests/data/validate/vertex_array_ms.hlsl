// An array as the output of each vertex: DXC writes more semantic indices than rows.
[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void main(uint lane : SV_GroupThreadID, out vertices float4 position[3] : SV_Position,
          out indices uint3 triangles[1])
{
    SetMeshOutputCounts(3, 1);
    position[lane] = float4(lane & 1, lane >> 1, 0, 1);
    triangles[0] = uint3(0, 1, 2);
}
