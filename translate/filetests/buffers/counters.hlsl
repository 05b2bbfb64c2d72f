// dxc: -T cs_6_0 -E main
// An increment gives the old value, a decrement the new one.
// check: OpDecorate $c Binding 4000
// check: OpAtomicIAdd
// check: OpAtomicISub
// check: OpISub
RWStructuredBuffer<uint> s : register(u0);
RWStructuredBuffer<uint> t : register(u1);
[numthreads(1, 1, 1)]
void main() { s[s.IncrementCounter()] = 1; t[t.DecrementCounter()] = 2; }
