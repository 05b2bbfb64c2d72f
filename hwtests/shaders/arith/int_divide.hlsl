// dxc: -T cs_6_0 -E main
// Division and remainder; an unsigned division by zero gives all ones for both.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id].x, b = In[id].y;
  uint o = id * 6;
  Out[o + 0] = a / b;
  Out[o + 1] = a % b;
  int sa = int(a), sb = int(b | 1) >> 3;
  sb = sb == 0 ? 7 : sb;
  Out[o + 2] = uint(sa / sb);
  Out[o + 3] = uint(sa % sb);
  Out[o + 4] = a / 10;
  Out[o + 5] = uint(sa % 16);
}
