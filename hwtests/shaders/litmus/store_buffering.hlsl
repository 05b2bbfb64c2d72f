// dxc: -T cs_6_0 -E main
// Store buffering: each of two groups writes one place and then reads the other's. At least one sees the other.
globallycoherent RWStructuredBuffer<uint> X : register(u0);
globallycoherent RWStructuredBuffer<uint> Y : register(u1);
RWStructuredBuffer<uint> Seen : register(u2);

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint place = group.x / 2 * 64 + thread;
  uint before, other;
  if (group.x % 2 == 0) {
    InterlockedExchange(X[place], 1, before);
    DeviceMemoryBarrier();
    InterlockedOr(Y[place], 0, other);
  } else {
    InterlockedExchange(Y[place], 1, before);
    DeviceMemoryBarrier();
    InterlockedOr(X[place], 0, other);
  }
  Seen[place * 2 + group.x % 2] = other;
}
