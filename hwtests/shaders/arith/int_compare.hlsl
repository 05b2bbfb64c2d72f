// dxc: -T cs_6_0 -E main
// All ten integer comparisons.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = In[id].x, b = In[id].y;
  int sa = int(a), sb = int(b);
  uint bits = 0;
  bits |= (a == b) ? 1 : 0;
  bits |= (a != b) ? 2 : 0;
  bits |= (a < b) ? 4 : 0;
  bits |= (a <= b) ? 8 : 0;
  bits |= (a > b) ? 16 : 0;
  bits |= (a >= b) ? 32 : 0;
  bits |= (sa < sb) ? 64 : 0;
  bits |= (sa <= sb) ? 128 : 0;
  bits |= (sa > sb) ? 256 : 0;
  bits |= (sa >= sb) ? 512 : 0;
  Out[id] = bits;
}
