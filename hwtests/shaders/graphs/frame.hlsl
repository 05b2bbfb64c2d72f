// dxc: -T cs_6_0 -E main
// What surrounds a generated graph: the test replaces the code behind the thread's id and its two words of memory.
RWByteAddressBuffer Trace : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint state[2];
  state[0] = id;
  state[1] = 0;
  Trace.Store(id * 4, state[id & 1]);
}
