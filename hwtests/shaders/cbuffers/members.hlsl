// dxc: -T cs_6_0 -E main
// Packing of scalars and vectors into rows.
cbuffer Constants : register(b0) {
  float a;
  float2 b;
  int c;
  float3 d;
  uint e;
  float2 f;
  float3 g;
  bool h;
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
  Out[0] = a;
  Out[1] = b.x;
  Out[2] = b.y;
  Out[3] = c;
  Out[4] = d.x + d.y * 10 + d.z * 100;
  Out[5] = e;
  Out[6] = f.x - f.y;
  Out[7] = g.x + g.y * 10 + g.z * 100;
  Out[8] = h ? 1 : 0;
}
