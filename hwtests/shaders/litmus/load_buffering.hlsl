// dxc: -T cs_6_0 -E main
// Load buffering: each of two groups reads one place and then writes the other. Not both see what is written
// after what they read.
globallycoherent RWStructuredBuffer<uint> X : register(u0);
globallycoherent RWStructuredBuffer<uint> Y : register(u1);
RWStructuredBuffer<uint> Seen : register(u2);

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint place = group.x / 2 * 64 + thread;
  uint before, other;
  if (group.x % 2 == 0) {
    InterlockedOr(X[place], 0, other);
    DeviceMemoryBarrier();
    InterlockedExchange(Y[place], 1, before);
  } else {
    InterlockedOr(Y[place], 0, other);
    DeviceMemoryBarrier();
    InterlockedExchange(X[place], 1, before);
  }
  Seen[place * 2 + group.x % 2] = other;
}
