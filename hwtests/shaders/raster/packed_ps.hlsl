// dxc: -T ps_6_0 -E main
struct O {
  float4 pos : SV_Position;
  float a : A;
  float2 b : B;
  float c : C;
  nointerpolation int3 d : D;
  nointerpolation bool e : E;
  min16float f : F;
  nointerpolation min16uint g : G;
  float3 list[3] : LIST;
  row_major float2x2 m : M;
};
struct T { float4 a : SV_Target0; float4 b : SV_Target1; float4 c : SV_Target2; float4 d : SV_Target3; };
T main(O o) {
  T t;
  t.a = float4(o.a, o.b, o.c);
  t.b = float4(o.d, o.e);
  // A row chosen by the pixel.
  t.c = float4(o.list[(uint)o.pos.x % 3], o.g);
  t.d = float4(o.m[0], o.m[1][(uint)o.pos.y % 2], o.f);
  return t;
}
