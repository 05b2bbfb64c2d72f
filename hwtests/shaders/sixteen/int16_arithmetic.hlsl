// dxc: -T cs_6_2 -E main -enable-16bit-types
// Native 16-bit integers wrap at 16 bits.
StructuredBuffer<uint16_t2> In : register(t0);
RWStructuredBuffer<uint16_t> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint16_t a = In[id].x, b = In[id].y;
  int16_t sa = (int16_t)a, sb = (int16_t)b;
  uint o = id * 12;
  Out[o + 0] = a + b;
  Out[o + 1] = a * b;
  Out[o + 2] = a - b;
  Out[o + 3] = a << (b & 15);
  Out[o + 4] = a >> (b & 15);
  Out[o + 5] = (uint16_t)(sa >> (sb & 15));
  Out[o + 6] = a / (b | 1);
  Out[o + 7] = (uint16_t)min(sa, sb);
  Out[o + 8] = max(a, b);
  Out[o + 9] = (uint16_t)(sa < sb ? 1 : 2);
  Out[o + 10] = a ^ b;
  Out[o + 11] = (uint16_t)abs(sa);
}
