// dxc: -T cs_6_0 -E main
// The hidden counter of a structured buffer counts up and down.
RWStructuredBuffer<uint> Up : register(u0);
RWStructuredBuffer<uint> Down : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint slot = Up.IncrementCounter();
  Up[slot] = 1;
  uint last = Down.DecrementCounter();
  Down[last] = 2;
}
