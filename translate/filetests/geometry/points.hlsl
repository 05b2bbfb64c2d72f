// dxc: -T gs_6_0 -E main
// check: InputPoints
// check: OutputPoints
struct V { float4 pos : SV_Position; float clip : SV_ClipDistance; };
[maxvertexcount(1)]
void main(point V i[1], inout PointStream<V> s) { s.Append(i[0]); }
