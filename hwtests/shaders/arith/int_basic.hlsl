// dxc: -T cs_6_0 -E main
// Two's complement arithmetic, logic and shifts; shift amounts count modulo 32.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id].x, b = In[id].y;
  uint o = id * 12;
  Out[o + 0] = a + b;
  Out[o + 1] = a - b;
  Out[o + 2] = a * b;
  Out[o + 3] = a & b;
  Out[o + 4] = a | b;
  Out[o + 5] = a ^ b;
  Out[o + 6] = ~a;
  Out[o + 7] = -int(a);
  Out[o + 8] = a << b;
  Out[o + 9] = a >> b;
  Out[o + 10] = uint(int(a) >> int(b));
  Out[o + 11] = a * 5 + (b << 3);
}
