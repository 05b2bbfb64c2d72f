// dxc: -T gs_6_0 -E main
struct V { float4 pos : SV_Position; uint id : ID; };
struct S { uint value : VALUE; };
[maxvertexcount(4)]
void main(point V i[1], inout PointStream<S> a, inout PointStream<S> b, inout PointStream<S> c, inout PointStream<S> d) {
  S s;
  s.value = i[0].id + 10; a.Append(s);
  s.value = i[0].id + 20; b.Append(s);
  s.value = i[0].id + 30; c.Append(s);
  s.value = i[0].id + 40; d.Append(s);
}
