// dxc: -T cs_6_2 -E main -enable-16bit-types
// Native half arithmetic.
StructuredBuffer<half2> In : register(t0);
RWStructuredBuffer<half> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  half a = In[id].x, b = In[id].y;
  uint o = id * 8;
  Out[o + 0] = a + b;
  Out[o + 1] = a * b;
  Out[o + 2] = a - b;
  Out[o + 3] = max(a, b);
  Out[o + 4] = min(a, -b);
  Out[o + 5] = abs(a);
  Out[o + 6] = a < b ? floor(a) : ceil(b);
  Out[o + 7] = saturate(a);
}
