// dxc: -T cs_6_0 -E main
// Minimum, maximum, clamp, multiply-add, absolute value and sign, signed and unsigned.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id].x, b = In[id].y;
  int sa = int(a), sb = int(b);
  uint o = id * 9;
  Out[o + 0] = min(a, b);
  Out[o + 1] = max(a, b);
  Out[o + 2] = uint(min(sa, sb));
  Out[o + 3] = uint(max(sa, sb));
  Out[o + 4] = uint(clamp(sa, -100, 100));
  Out[o + 5] = mad(a, b, 17u);
  Out[o + 6] = uint(mad(sa, sb, -17));
  Out[o + 7] = uint(abs(sa));
  Out[o + 8] = uint(sign(sa));
}
