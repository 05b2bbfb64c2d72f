// dxc: -T cs_6_0 -E main
// 64-bit members of a constant buffer.
cbuffer Constants : register(b0) {
  double a;
  double2 b;
  float c;
  double d[2];
};
RWStructuredBuffer<uint2> Out : register(u0);

uint2 bits(double v) {
  uint lo, hi;
  asuint(v, lo, hi);
  return uint2(lo, hi);
}

[numthreads(2, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id * 3 + 0] = bits(a + b.x);
  Out[id * 3 + 1] = bits(b.y * c);
  Out[id * 3 + 2] = bits(d[id]);
}
