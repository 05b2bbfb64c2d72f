// dxc: -T cs_6_2 -E main -enable-16bit-types
// Native 16-bit members pack eight to a row.
cbuffer Constants : register(b0) {
  half a;
  half3 b;
  uint16_t c;
  int16_t d[2];
  half2 e;
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(2, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint o = id * 8;
  Out[o + 0] = a;
  Out[o + 1] = b.x;
  Out[o + 2] = b.y;
  Out[o + 3] = b.z;
  Out[o + 4] = c;
  Out[o + 5] = d[id];
  Out[o + 6] = e.x;
  Out[o + 7] = e.y;
}
