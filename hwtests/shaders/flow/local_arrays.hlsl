// dxc: -T cs_6_0 -E main
// Local arrays with dynamic indices: insertion sort, and a table of constants.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

static const uint kPrimes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v[8];
  [loop] for (uint i = 0; i < 8; ++i) {
    uint x = In[id * 8 + i];
    uint j = i;
    [loop] while (j > 0 && v[j - 1] > x) {
      v[j] = v[j - 1];
      --j;
    }
    v[j] = x;
  }
  uint sum = 0;
  [loop] for (uint k = 0; k < 8; ++k) {
    Out[id * 9 + k] = v[k];
    sum += v[k] * kPrimes[(v[k] + k) & 7];
  }
  Out[id * 9 + 8] = sum;
}
