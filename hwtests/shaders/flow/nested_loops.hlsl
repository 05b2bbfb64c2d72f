// dxc: -T cs_6_0 -E main
// Three loops inside of each other; the innermost ends the outer ones through a flag.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint limit = In[id], sum = 0;
  bool done = false;
  [loop] for (uint i = 0; i < 6 && !done; ++i) {
    [loop] for (uint j = i; j < 8; ++j) {
      uint k = 0;
      [loop] while (true) {
        k += j + 1;
        if (k > limit) break;
        sum += In[(i * 7 + j * 3 + k) & 63];
        if (sum > 900) {
          done = true;
          break;
        }
      }
      if (done) break;
      if (k & 1) continue;
      sum += 2;
    }
  }
  Out[id] = sum;
}
