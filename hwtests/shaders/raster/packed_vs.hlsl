// dxc: -T vs_6_0 -E main
// Small elements share rows; arrays and integers, booleans and halves have rules of their own.
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
O main(uint id : SV_VertexID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  o.a = 1; o.b = float2(2, 3); o.c = 4;
  o.d = int3(-5, 6, -7);
  o.e = true;
  o.f = (min16float)0.5;
  o.g = (min16uint)65535;
  o.list[0] = float3(8, 9, 10); o.list[1] = float3(11, 12, 13); o.list[2] = float3(14, 15, 16);
  o.m = float2x2(17, 18, 19, 20);
  return o;
}
