// dxc: -T cs_6_0 -E main
// A loop with several continues and breaks.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint sum = id, i = 0;
  [loop] for (i = 0; i < 40; ++i) {
    uint v = In[(id + i) & 63];
    if (v == 0) continue;
    sum += v;
    if (sum % 11 == 3) break;
    if (v & 4) {
      sum ^= i;
      continue;
    }
    sum = sum * 2 + 1;
    if (sum > 100000) {
      sum -= 99999;
      break;
    }
  }
  Out[id] = sum * 64 + i;
}
