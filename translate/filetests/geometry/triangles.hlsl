// dxc: -T gs_6_0 -E main
// check: OpExecutionMode $main Triangles
// check: OpExecutionMode $main OutputTriangleStrip
// check: OpExecutionMode $main OutputVertices 3
// count: 3 OpEmitVertex
// count: 1 OpEndPrimitive
struct V { float4 pos : SV_Position; float2 uv : UV; };
struct O { float4 pos : SV_Position; float2 uv : UV; uint layer : SV_RenderTargetArrayIndex; uint prim : SV_PrimitiveID; };
[maxvertexcount(3)]
[instance(2)]
void main(triangle V i[3], uint prim : SV_PrimitiveID, uint inst : SV_GSInstanceID, inout TriangleStream<O> s) {
  [unroll] for (uint k = 0; k < 3; ++k) {
    O o; o.pos = i[k].pos; o.uv = i[(k + inst) % 3].uv; o.layer = inst; o.prim = prim;
    s.Append(o);
  }
  s.RestartStrip();
}
