// dxc: -T cs_6_0 -E main
// The test of a rotated loop needs a chain of 3,000 instructions: it is not moved to the head, and looking at it takes a bounded stack.
// check: OpLoopMerge
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Constants : register(b0) { uint First, End, Factor; };

[numthreads(1, 1, 1)]
void main() {
  uint x = First;
  uint rounds = 0;
  if (x < End) {
    [loop] do {
      [unroll] for (uint i = 0; i < 1000; ++i) x = x * Factor ^ x >> (1 + i % 31);
      ++rounds;
    } while (x < End);
  }
  Out[0] = rounds;
}
