// dxc: -T cs_6_0 -E main
groupshared double sink[64];
groupshared uint more[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  double a = asdouble(id, g.x), b = g.y;
  double v = a * b + a / b + abs(a) + min(a, b) + max(a, b) + fma(a, b, a);
  sink[id] = v;
  uint lo, hi;
  asuint(v, lo, hi);
  more[id] = lo ^ hi ^ (uint)v ^ (uint)(int)b ^ asuint((float)a) ^ (a < b ? 1 : 2);
}
