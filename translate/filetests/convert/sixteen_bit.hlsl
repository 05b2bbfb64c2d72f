// dxc: -T cs_6_2 -E main -enable-16bit-types
// check: OpTypeFloat 16
groupshared half sink[64];
groupshared int16_t more[64];
groupshared uint16_t rest[64];
groupshared uint last[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  half a = (half)id * (half)0.25;
  int16_t b = (int16_t)g.x;
  uint16_t c = (uint16_t)g.y;
  sink[id] = sqrt(a) + (half)b + max(a, asfloat16(c)) + (half)g.z;
  more[id] = b / (int16_t)3 - (int16_t)id + (int16_t)a;
  rest[id] = (c >> (uint16_t)2) + asuint16(a) + c % (uint16_t)b + (uint16_t)(float)a;
  last[id] = countbits(c) + firstbithigh(c) + firstbithigh(b) + firstbitlow(c) + (uint)reversebits(c);
}
