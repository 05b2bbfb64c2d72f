// dxc: -T ps_6_5 -E main
// Lanes that are discarded, and from then on helpers, take no part in wave operations. One bit per operation.
uint main(float4 position : SV_Position) : SV_Target {
  uint x = uint(position.x);
  bool second = x & 1;
  float f = second ? 3 : -7;
  if (!second) discard;
  uint n = 0;
  n |= (WaveActiveCountBits(true) == 2) << 0;
  n |= (countbits(WaveActiveBallot(true).x) == 2) << 1;
  n |= WaveActiveAllTrue(second) << 2;
  n |= !WaveActiveAnyTrue(!second) << 3;
  n |= WaveActiveAllEqual(f) << 4;
  n |= (WaveReadLaneFirst(f) == 3) << 5;
  n |= (WaveActiveSum(f) == 6) << 6;
  n |= (WaveActiveMin(f) == 3) << 7;
  n |= (WaveActiveMax(-f) == -3) << 8;
  n |= (WaveActiveProduct(f) == 9) << 9;
  n |= (WaveActiveBitAnd(x | 6) == 7) << 10;
  n |= (WaveActiveBitOr(second ? 4u : 8u) == 4) << 11;
  n |= (WaveActiveMin(x + 5) == 6) << 12;
  n |= (WaveActiveMax(second ? -2 : 5) == -2) << 13;
  n |= (WaveActiveMin(second ? 2 : -5) == 2) << 14;
  n |= (WaveActiveMax(second ? 2u : 5u) == 2) << 15;
  n |= (WaveActiveProduct(second ? 3u : 0u) == 9) << 16;
  n |= (countbits(WaveMatch(1u).x) == 2) << 17;
  n |= (WaveActiveSum(WavePrefixSum(2u)) == 2) << 18;
  n |= (WaveActiveSum(WavePrefixCountBits(true)) == 1) << 19;
  n |= (WaveActiveSum(WaveIsFirstLane() ? 1u : 0u) == 1) << 20;
  n |= (WaveActiveSum(WaveMultiPrefixCountBits(true, WaveActiveBallot(true))) == 1) << 21;
  // Helpers get what the others get.
  float first = WaveReadLaneFirst(f);
  n |= (QuadReadAcrossX(first) == 3) << 22;
  return n;
}
