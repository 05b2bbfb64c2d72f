// dxc: -T cs_6_0 -E main
groupshared uint4 sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  int a = id, b = g.x;
  uint4 r = uint4(min(a, b), max(a, b), min(id, g.x), max(id, g.x));
  r += uint4(msad4(id, uint2(g.x, g.y), uint4(1, 2, 3, 4)));
  r.x += countbits(id) + reversebits(id) + firstbithigh(id) + firstbitlow(id) + firstbithigh(b);
  r.y += id * b + (a >> b) + (id >> g.x) + (a << b) + (-a);
  r.z = f32tof16(asfloat(id)) + asuint(f16tof32(id)) + mad(a, b, a);
  sink[id] = r;
}
