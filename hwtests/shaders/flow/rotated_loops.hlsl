// dxc: -T cs_6_0 -E main
// Loops that DXC rotates: a guard in front, the test at the end. Each is left in another way.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint n = In[id], m = In[(id + 1) & 63];
  // What is wanted is the count and a sum, and the value of the last round.
  uint sum = 1, last = 77;
  uint i;
  [loop] for (i = 0; i < n; ++i) {
    last = sum;
    sum = sum * 3 + In[(id + i) & 63];
  }
  Out[id * 8] = sum;
  Out[id * 8 + 1] = last * 64 + i;
  // A break in the middle, and a continue.
  uint r = m;
  [loop] for (uint j = n; j > 0; --j) {
    if ((r & 15) == 7)
      break;
    if (In[j] & 1)
      continue;
    r += In[j] ^ j;
  }
  Out[id * 8 + 2] = r;
  // Two conditions, one of them of floats.
  float x = 0, y = 0;
  uint steps = 0;
  [loop] while (steps < n && x * x + y * y < 64) {
    float t = x * 0.5 - y + 1;
    y = y * 0.5 + x + m * 0.25;
    x = t;
    ++steps;
  }
  Out[id * 8 + 3] = steps;
  // One in the other, both may be skipped.
  uint pairs = 0;
  [loop] for (uint a = 0; a < m; ++a)
    [loop] for (uint b = a; b < n; ++b)
      pairs = pairs * 5 + a + b;
  Out[id * 8 + 4] = pairs;
  // Signed, with a step, down and up.
  int s = 0;
  [loop] for (int k = (int)n - 8; k <= (int)m; k += 3)
    s = s * 2 + k;
  Out[id * 8 + 5] = s;
  // The condition looks at values that swap.
  uint u = n, v = m;
  [loop] while (v != 0) {
    uint t = u % v;
    u = v;
    v = t;
  }
  Out[id * 8 + 6] = u;
  // The bound is needed in the body as well.
  uint w = 0;
  [loop] for (uint c = 0; c < (n ^ m); ++c)
    w = w * 3 + In[((n ^ m) - c) & 63];
  Out[id * 8 + 7] = w;
}
