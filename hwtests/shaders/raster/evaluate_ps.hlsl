// dxc: -T ps_6_0 -E main
struct O {
  float4 pos : SV_Position;
  float2 uv : UV;
  noperspective float2 flat_uv : FLATUV;
};
cbuffer At : register(b0) { int2 at; uint sample_index; };
struct T { float4 a : SV_Target0; float4 b : SV_Target1; };
T main(O o) {
  T t;
  t.a.xy = EvaluateAttributeSnapped(o.flat_uv, int2(-8, 7));
  t.a.zw = EvaluateAttributeSnapped(o.flat_uv, at);
  t.b.xy = EvaluateAttributeCentroid(o.flat_uv);
  t.b.zw = EvaluateAttributeAtSample(o.flat_uv, sample_index);
  return t;
}
