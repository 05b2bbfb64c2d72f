// dxc: -T gs_6_0 -E main
// error: a geometry shader of patches, which Vulkan has no topology for
struct V { float4 pos : SV_Position; };
[maxvertexcount(1)]
void main(InputPatch<V, 4> i, inout PointStream<V> s) { s.Append(i[3]); }
