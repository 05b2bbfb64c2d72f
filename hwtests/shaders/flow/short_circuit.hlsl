// dxc: -T cs_6_0 -E main
// Chains of conditions with side effects through functions that return from several places.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

bool check(uint v, inout uint trace) {
  trace = trace * 4 + 1;
  if (v == 0) return false;
  trace = trace * 4 + 2;
  if (v > 40) {
    if (v & 1) return true;
    trace++;
  }
  return v % 3 == 0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint trace = 0, r = 0;
  [loop] for (uint i = 0; i < 3; ++i) {
    if (check(In[(id + i) & 63], trace)) {
      if (check(In[(id + i + 5) & 63] >> 1, trace) || check(id, trace)) r += 1u << i;
    } else if (!check(i, trace)) {
      r += 16u << i;
    }
  }
  Out[id * 2] = r;
  Out[id * 2 + 1] = trace;
}
