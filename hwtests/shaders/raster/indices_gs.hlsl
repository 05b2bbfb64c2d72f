// dxc: -T gs_6_0 -E main
// Reads the vertex shader's indices as data, and turns layers and viewports round.
struct O { float4 pos : SV_Position; float4 color : COLOR; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; };
[maxvertexcount(3)]
void main(triangle O i[3], inout TriangleStream<O> s) {
  [unroll] for (uint k = 0; k < 3; ++k) {
    O o = i[k];
    o.layer = 1 - i[0].layer;
    o.view = 1 - i[1].view;
    s.Append(o);
  }
}
