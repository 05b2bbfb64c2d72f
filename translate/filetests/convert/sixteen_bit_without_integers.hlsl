// dxc: -T cs_6_2 -E main -enable-16bit-types
// 16-bit integers have an exact fallback.
//! without = INT16
// not: OpTypeInt 16 0
groupshared int16_t more[64];
groupshared uint16_t rest[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  int16_t b = (int16_t)g.x;
  uint16_t c = (uint16_t)g.y;
  more[id] = b / (int16_t)3 - (int16_t)id;
  rest[id] = (c >> (uint16_t)2) + c % (uint16_t)b + (b < (int16_t)c ? (uint16_t)1 : (uint16_t)2);
}
