// dxc: -T cs_6_0 -E main
// check: OpTypeInt 64 0
groupshared uint64_t sink[64];
groupshared uint more[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint64_t a = id | ((uint64_t)g.x << 32);
  int64_t b = (int64_t)g.y - 5;
  uint64_t v = a * b + a / (b | 1) + a % g.z + (a << (b & 63)) + (a >> b) + (uint64_t)(b >> id) + (uint64_t)(b / (int64_t)a);
  v += (uint64_t)(double)a + (uint64_t)(int64_t)(float)b;
  sink[id] = v;
  more[id] = countbits((uint)v) + firstbithigh(v) + firstbitlow(v) + countbits(a);
}
