// dxc: -T cs_6_0 -E main
// Trip counts that depend on the data.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint n = In[id], steps = 0, top = n;
  [loop] while (n > 1) {
    n = (n % 2 == 0) ? n / 2 : 3 * n + 1;
    top = max(top, n);
    ++steps;
  }
  Out[id] = uint2(steps, top);
}
