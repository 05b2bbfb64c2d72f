// dxc: -T cs_6_0 -E main
// Coherence: even groups write 1, 2, 3 to a place one after the other, odd groups read it three times. No read is
// older than the one before.
globallycoherent RWStructuredBuffer<uint> X : register(u0);
RWStructuredBuffer<uint3> Seen : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint place = group.x / 2 * 64 + thread;
  uint before;
  if (group.x % 2 == 0) {
    [unroll] for (uint value = 1; value < 4; ++value)
      InterlockedExchange(X[place], value, before);
  } else {
    uint3 reads;
    InterlockedOr(X[place], 0, reads.x);
    InterlockedOr(X[place], 0, reads.y);
    InterlockedOr(X[place], 0, reads.z);
    Seen[place] = reads;
  }
}
