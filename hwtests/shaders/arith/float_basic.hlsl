// dxc: -T cs_6_0 -E main
// Float arithmetic on ordinary numbers.
StructuredBuffer<float2> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = In[id].x, b = In[id].y;
  uint o = id * 13;
  Out[o + 0] = a + b;
  Out[o + 1] = a - b;
  Out[o + 2] = a * b;
  Out[o + 3] = a / b;
  Out[o + 4] = -a;
  Out[o + 5] = abs(a);
  Out[o + 6] = min(a, b);
  Out[o + 7] = max(a, b);
  Out[o + 8] = saturate(a);
  Out[o + 9] = sign(a);
  Out[o + 10] = fmod(a, b);
  Out[o + 11] = lerp(a, b, 0.25);
  Out[o + 12] = clamp(a, -2.0, 3.0);
}
