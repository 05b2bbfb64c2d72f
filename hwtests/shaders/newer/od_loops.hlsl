// dxc-newer: -T cs_6_8 -E main -Od
// no optimisation: nested loops with break/continue/return, switch fallthrough, local arrays, early returns in functions
RWStructuredBuffer<int> dst : register(u0);
StructuredBuffer<int> src : register(t0);

int find(int a[8], int v) {
  for (int i = 0; i < 8; ++i) {
    if (a[i] == v) return i;
    if (a[i] < 0) break;
  }
  return -1;
}
int score(int x) {
  int r = 0;
  switch (x & 7) {
    case 0: case 1: r = 3; break;
    case 2: r = 5;
    case 3: r += 7; break;
    case 6: return -x;
    default: while (x > 10) { x -= 3; if (x == 20) continue; r++; if (r > 50) break; }
  }
  return r;
}
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int local[8];
  for (uint i = 0; i < 8; ++i) local[i] = src[id * 8 + i];
  int best = 0;
  [loop] do {
    int s = score(local[best & 7]);
    if (s < 0) { best++; continue; }
    best += s;
  } while (best < 40);
  dst[id] = find(local, best & 15) * 100 + best;
}
