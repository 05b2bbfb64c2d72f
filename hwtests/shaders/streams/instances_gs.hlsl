// dxc: -T gs_6_0 -E main
// Four instances see each point; the third adds nothing.
struct V { float4 pos : SV_Position; uint id : ID; };
struct S { uint3 value : VALUE; };
[instance(4)] [maxvertexcount(1)]
void main(point V i[1], uint instance : SV_GSInstanceID, uint primitive : SV_PrimitiveID, inout PointStream<S> a) {
  S s;
  s.value = uint3(i[0].id, instance, primitive);
  if (instance != 2) a.Append(s);
}
