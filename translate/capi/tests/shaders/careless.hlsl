// dxc: -T cs_6_0 -E main
// Neighbours read what was written to groupshared memory, without a barrier.
RWStructuredBuffer<uint> results : register(u0);
groupshared uint words[64];

[numthreads(64, 1, 1)]
void main(uint n : SV_GroupIndex) {
  words[n] = n * 3;
  results[n] = words[(n + 1) & 63];
}
