// dxc-newer: -T cs_6_8 -E main
// WaveSize(min, max) without a preferred size; wave match and multiprefix
RWStructuredBuffer<uint4> dst : register(u0);
StructuredBuffer<uint> keys : register(t0);

[WaveSize(8, 32)]
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint k = keys[id] & 7;
  uint4 peers = WaveMatch(k);
  uint n = countbits(peers.x) + countbits(peers.y) + countbits(peers.z) + countbits(peers.w);
  uint rank = WaveMultiPrefixCountBits(true, peers);
  uint sum = WaveMultiPrefixSum(keys[id], peers);
  uint prod = WaveMultiPrefixProduct(keys[id] | 1, peers);
  uint x = WaveMultiPrefixBitXor(keys[id], peers);
  dst[id] = uint4(n | (rank << 8), sum, prod, x);
}
