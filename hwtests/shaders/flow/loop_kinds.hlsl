// dxc: -T cs_6_0 -E main
// for, while and do loops whose trip counts differ from thread to thread.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint n = In[id], sum = 0;
  [loop] for (uint i = 0; i < n; ++i)
    sum += In[i] ^ i;
  uint m = n;
  [loop] while (m > 3) {
    sum = sum * 3 + m;
    m = m / 2;
  }
  uint steps = 0;
  [loop] do {
    sum ^= sum << 5;
    steps++;
  } while (steps * steps < n);
  Out[id * 2] = sum;
  Out[id * 2 + 1] = steps;
}
