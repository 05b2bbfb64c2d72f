// dxc: -T cs_6_0 -E main
// Loops that count one by one from one value to another: unsigned and signed, up and down, with values
// that are needed afterwards. Some have no round, and some begin beyond their end.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint from = In[id], to = In[(id + 1) & 63];
  uint up = 7, last = 99;
  [loop] for (uint i = from; i < to; ++i) {
    last = up;
    up = up * 3 + In[i & 63];
  }
  Out[id * 6] = up;
  Out[id * 6 + 1] = last;
  uint down = 1;
  [loop] for (uint j = from; j > to; --j) down = down * 5 + j;
  Out[id * 6 + 2] = down;
  // Below zero.
  int begin = (int)from - 20, end = (int)to - 20;
  int sum = 0;
  [loop] for (int k = begin; k < end; ++k) {
    if (k & 1) continue;
    sum = sum * 2 + k;
  }
  Out[id * 6 + 3] = sum;
  int fall = 0;
  [loop] for (int m = begin; m > end; --m) {
    if (fall > 1000) break;
    fall = fall * 2 - m;
  }
  Out[id * 6 + 4] = fall;
  // At the end of the range.
  uint rounds = 0;
  [loop] for (uint q = 0xfffffff0u + from; q < 0xfffffff0u + to; ++q) rounds = rounds * 3 + (q & 7);
  Out[id * 6 + 5] = rounds;
}
